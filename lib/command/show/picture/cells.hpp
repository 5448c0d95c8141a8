// SPDX-License-Identifier: BSD-3-Clause
// Lines of a picture, one cell for each column.
#pragma once

#include <string>
#include <vector>

#include "show/line.hpp"

namespace nestbind::show::picture {

struct Cell {
  std::string glyph = " ";
  int team = -1;
};

std::vector<Cell> cells_of(const Line& line);

// Removes blanks without a colour from the end of the line.
Line line_of(const std::vector<Cell>& cells);

// Breaks a line at `columns`, if possible at blanks. All lines except the first are indented.
std::vector<Line> wrap(const Line& line, int columns, int indent);

}  // namespace nestbind::show::picture
