// SPDX-License-Identifier: BSD-3-Clause
#include "show/picture/cells.hpp"

#include <algorithm>

namespace nestbind::show::picture {

namespace {

bool is_blank(const Cell& cell) { return cell.glyph == " "; }

// Breaks the line at a blank if possible. The line must be longer than `columns`.
std::size_t length_of_line(const std::vector<Cell>& cells, std::size_t begin, std::size_t columns) {
  for (std::size_t length = columns; length > 0; --length) {
    if (is_blank(cells[begin + length])) {
      return length;
    }
  }
  return columns;
}

}  // namespace

std::vector<Cell> cells_of(const Line& line) {
  std::vector<Cell> cells;
  for (const Span& span : line) {
    for (const char c : span.text) {
      const bool continues = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
      if (continues && !cells.empty()) {
        cells.back().glyph += c;
      } else {
        cells.push_back({std::string(1, c), span.team});
      }
    }
  }
  return cells;
}

Line line_of(const std::vector<Cell>& cells) {
  std::size_t end = cells.size();
  while (end > 0 && is_blank(cells[end - 1]) && cells[end - 1].team < 0) {
    --end;
  }
  Line line;
  for (std::size_t i = 0; i < end; ++i) {
    if (line.empty() || line.back().team != cells[i].team) {
      line.push_back({"", cells[i].team});
    }
    line.back().text += cells[i].glyph;
  }
  return line;
}

std::vector<Line> wrap(const Line& line, int columns, int indent) {
  const std::vector<Cell> cells = cells_of(line);
  std::vector<Line> lines;
  for (std::size_t begin = 0; begin < cells.size() || lines.empty();) {
    const std::size_t margin = lines.empty() ? 0 : std::min(indent, columns - 1);
    const std::size_t room = static_cast<std::size_t>(columns) - margin;
    const std::size_t length =
        cells.size() - begin <= room ? cells.size() - begin : length_of_line(cells, begin, room);
    std::vector<Cell> part(margin);
    part.insert(part.end(), cells.begin() + static_cast<std::ptrdiff_t>(begin),
                cells.begin() + static_cast<std::ptrdiff_t>(begin + length));
    lines.push_back(line_of(part));
    begin += length;
    while (begin < cells.size() && is_blank(cells[begin]) && cells[begin].team < 0) {
      ++begin;
    }
    if (cells.empty()) {
      break;
    }
  }
  return lines;
}

}  // namespace nestbind::show::picture
