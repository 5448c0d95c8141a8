// SPDX-License-Identifier: BSD-3-Clause
// The machine as it is drawn: boxes in boxes, and cores in them.
#pragma once

#include <vector>

#include "machine/hardware.hpp"

namespace nestbind::show::picture {

// The kinds of boxes, from large to small.
enum class Kind { kBoard, kPackage, kNuma, kDie, kL3, kL2 };

// The objects of one kind that have the processors of a box: one, but for NUMA nodes.
struct Label {
  Kind kind = Kind::kPackage;
  std::vector<int> numbers;  // the machine's own
  bool operator==(const Label&) const = default;
};

// Neighbouring hardware threads of a core that the same threads are bound to.
struct Stretch {
  int processors = 1;
  std::vector<int> occupants;
  bool is_reached = false;  // by a thread that may run elsewhere too
};

// Threads that may run on the same several cores.
struct Roamers {
  std::vector<int> processors;  // indices of Drawn::cpus, ascending
  std::vector<int> occupants;
};

// The machine, a box or a core.
struct Part {
  std::vector<Label> labels;  // of a box, the largest first; the machine may have none
  bool is_core = false;
  int number = 0;  // of a core, the machine's own
  int begin = 0;   // processors [begin, end), indices of Drawn::cpus
  int end = 0;
  std::vector<Part> parts;         // boxes and cores, in topology order; a core has none
  std::vector<Roamers> roamers;    // in no smaller box; prepare.cpp puts them there,
  std::vector<Stretch> stretches;  // and these in a core: of all its processors
};

struct Drawn {
  std::vector<int> cpus;   // the operating system's numbers, in topology order
  std::vector<int> speed;  // of each, as of Hardware; empty unless several kinds are drawn
  bool has_cores = false;  // otherwise each processor is drawn as one
  Part machine;
};

// The processors of `hardware` that are to be drawn, at least one, in their boxes. A NUMA node that
// does not nest with the other objects has no box.
Drawn make_boxes(const machine::Hardware& hardware, const std::vector<bool>& is_drawn);

// Whether a line is drawn around a part: not around a machine that consists of boxes.
bool has_frame(const Part& part);

}  // namespace nestbind::show::picture
