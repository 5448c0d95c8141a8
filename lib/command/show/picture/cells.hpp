// SPDX-License-Identifier: BSD-3-Clause
// Lines of a picture, one cell for each column.
#pragma once

#include <string>
#include <vector>

#include "show/line.hpp"

namespace nestbind::show::picture {

struct Cell {
  std::string glyph = " ";  // one character of UTF-8
  int team = -1;
};

std::vector<Cell> cells_of(const Line& line);

// Drops blanks without colour at the end.
Line line_of(const std::vector<Cell>& cells);

// The line in pieces of at most `columns`, if possible broken at blanks. Later pieces are indented.
std::vector<Line> wrap(const Line& line, int columns, int indent);

}  // namespace nestbind::show::picture
