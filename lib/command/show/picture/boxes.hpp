// SPDX-License-Identifier: BSD-3-Clause
// The machine in a picture: boxes in boxes, and cores in boxes.
#pragma once

#include <string>
#include <vector>

#include "machine/hardware.hpp"
#include "show/line.hpp"

namespace nestbind::show::picture {

// Lines of a picture, one cell for each column.
struct Cell {
  std::string glyph = " ";
  int team = -1;
};

std::vector<Cell> cells_of(const Line& line);

// Removes blanks without a colour from the end of the line.
Line line_of(const std::vector<Cell>& cells);

// Breaks a line at `columns`, if possible at blanks. All lines except the first are indented.
std::vector<Line> wrap(const Line& line, int columns, int indent);

// The kinds of boxes, the largest first.
enum class Kind { kBoard, kPackage, kNuma, kDie, kL3, kL2 };

// An object with the same processors as a box. Several NUMA nodes may have the same processors.
struct Label {
  Kind kind = Kind::kPackage;
  std::vector<int> numbers;
  bool operator==(const Label&) const = default;
};

struct Stretch {
  int processors = 1;
  std::vector<int> occupants;
  bool is_reached = false;  // true if a thread may run here and elsewhere, but not everywhere
};

// Threads that may run on the same set of several cores.
struct Roamers {
  std::vector<int> processors;
  std::vector<int> occupants;
};

struct Part {
  std::vector<Label> labels;              // the labels of a box, the largest object first
  std::vector<std::string> devices = {};  // names of GPUs and network cards
  bool is_core = false;
  int number = 0;
  int begin = 0;  // its processors are [begin, end), indices of Drawn::cpus
  int end = 0;
  std::vector<Part> parts;
  std::vector<Roamers> roamers;
  std::vector<Stretch> stretches;
};

struct Drawn {
  std::vector<int> cpus;   // the operating system's numbers, in topology order
  std::vector<int> speed;  // of each processor, as in Hardware; empty if all are of one kind
  bool has_cores = false;  // false if each processor is drawn as a core
  Part machine;
};

Drawn make_boxes(const machine::Hardware& hardware, const std::vector<bool>& is_drawn);

// The machine has a frame only if it has a label or devices, or cores that are in no box.
bool has_frame(const Part& part);

}  // namespace nestbind::show::picture
