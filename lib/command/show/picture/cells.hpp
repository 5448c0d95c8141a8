// SPDX-License-Identifier: BSD-3-Clause
// Lines of a picture, one cell for each column.
#pragma once

#include <string>
#include <vector>

#include "show/line.hpp"

namespace nestbind::show::picture {

// One column of a line.
struct Cell {
  std::string glyph = " ";  // one character of UTF-8
  int team = -1;
};

std::vector<Cell> cells_of(const Line& line);

// Without the blanks at the end that have no colour.
Line line_of(const std::vector<Cell>& cells);

// The same in lines of at most `columns`, broken at blanks, or anywhere in a word that is longer.
// Lines after the first begin with `indent` blanks.
std::vector<Line> wrap(const Line& line, int columns, int indent);

}  // namespace nestbind::show::picture
