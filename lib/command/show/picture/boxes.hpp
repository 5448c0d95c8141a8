// SPDX-License-Identifier: BSD-3-Clause
// The machine as it is drawn: boxes in boxes, and cores in them.
#pragma once

#include <vector>

#include "machine/hardware.hpp"

namespace nestbind::show::picture {

// The kinds of boxes, the largest first.
enum class Kind { kBoard, kPackage, kNuma, kDie, kL3, kL2 };

// The object of one kind with the processors of a box (several objects, if they are NUMA nodes).
struct Label {
  Kind kind = Kind::kPackage;
  std::vector<int> numbers;  // the machine's own
  bool operator==(const Label&) const = default;
};

// Adjacent hardware threads of one core, if the same threads are bound to each of them.
struct Stretch {
  int processors = 1;
  std::vector<int> occupants;
  bool is_reached = false;  // by a thread that may also run elsewhere
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
  int number = 0;  // of a core: the machine's own number
  int begin = 0;   // processors [begin, end), indices of Drawn::cpus
  int end = 0;
  std::vector<Part> parts;         // boxes and cores, in topology order; a core has none
  std::vector<Roamers> roamers;    // threads that fit in no smaller box; set by prepare.cpp
  std::vector<Stretch> stretches;  // of a core: all its processors; set by prepare.cpp
};

struct Drawn {
  std::vector<int> cpus;   // the operating system's numbers, in topology order
  std::vector<int> speed;  // the speed of each, as in Hardware; empty: one kind is drawn
  bool has_cores = false;  // false: each processor is drawn as a core
  Part machine;
};

// Makes boxes of the drawn processors, at least one. A NUMA node that does not nest gets no box.
Drawn make_boxes(const machine::Hardware& hardware, const std::vector<bool>& is_drawn);

// All boxes have a frame. The machine has a frame if it has a label, or cores that are in no box.
bool has_frame(const Part& part);

}  // namespace nestbind::show::picture
