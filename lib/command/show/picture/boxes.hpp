// SPDX-License-Identifier: BSD-3-Clause
// The machine in a picture: boxes in boxes, and cores in boxes.
#pragma once

#include <vector>

#include "machine/hardware.hpp"

namespace nestbind::show::picture {

// The kinds of boxes, the largest first.
enum class Kind { kBoard, kPackage, kNuma, kDie, kL3, kL2 };

// The object of one kind that has a box's processors, or several such NUMA nodes.
struct Label {
  Kind kind = Kind::kPackage;
  std::vector<int> numbers;  // the machine's own numbers
  bool operator==(const Label&) const = default;
};

// Adjacent hardware threads of one core on which the same threads are bound.
struct Stretch {
  int processors = 1;
  std::vector<int> occupants;
  bool is_reached = false;  // whether a thread that may also run elsewhere may run here
};

// Threads that may run on the same set of several cores.
struct Roamers {
  std::vector<int> processors;  // indices of Drawn::cpus, ascending
  std::vector<int> occupants;
};

// The machine, a box or a core.
struct Part {
  std::vector<Label> labels;  // of a box, the largest object first; the machine may have none
  bool is_core = false;
  int number = 0;  // a core's number, the machine's own
  int begin = 0;   // its processors are [begin, end), indices of Drawn::cpus
  int end = 0;
  std::vector<Part> parts;         // boxes and cores, in topology order; empty for a core
  std::vector<Roamers> roamers;    // threads that fit in no smaller box; set by prepare.cpp
  std::vector<Stretch> stretches;  // a core's processors; set by prepare.cpp
};

struct Drawn {
  std::vector<int> cpus;   // the operating system's numbers, in topology order
  std::vector<int> speed;  // of each processor, as in Hardware; empty if all are of one kind
  bool has_cores = false;  // false if each processor is drawn as a core
  Part machine;
};

// Makes boxes of the drawn processors (one or more). A NUMA node that does not nest gets no box.
Drawn make_boxes(const machine::Hardware& hardware, const std::vector<bool>& is_drawn);

// All boxes have a frame. The machine has a frame if it has a label, or cores that are in no box.
bool has_frame(const Part& part);

}  // namespace nestbind::show::picture
