// SPDX-License-Identifier: BSD-3-Clause
#include "show/line.hpp"

#include <algorithm>
#include <iterator>

namespace nestbind::show {

std::string text_of(const std::vector<Line>& lines, const Canvas& canvas) {
  std::string text;
  for (const Line& line : lines) {
    for (const Span& span : line) {
      const bool is_coloured = canvas.has_colour && span.team >= 0;
      if (is_coloured) {
        const TeamColour& colour = colour_of(span.team);
        text += "\033[38;5;" + std::to_string(colour.text) + ";48;5;" +
                std::to_string(colour.background) + "m";
      }
      text += span.text + (is_coloured ? "\033[0m" : "");
    }
    text += "\n";
  }
  return text;
}

int width_of(const Line& line) {
  int columns = 0;
  for (const Span& span : line) {
    columns += static_cast<int>(std::ranges::count_if(
        span.text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
  }
  return columns;
}

int width_of(const std::vector<Line>& lines) {
  int columns = 0;
  for (const Line& line : lines) {
    columns = std::max(columns, width_of(line));
  }
  return columns;
}

std::vector<Line> beside(const std::vector<Line>& left, const std::vector<Line>& right, int columns,
                         int gap) {
  std::vector<Line> lines;
  for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
    Line line = i < left.size() ? left[i] : Line{};
    if (i < right.size() && !right[i].empty()) {
      const int blanks = std::max(columns - width_of(line), 0) + gap;
      line.push_back({std::string(blanks, ' '), -1});
      line.insert(line.end(), right[i].begin(), right[i].end());
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

const TeamColour& colour_of(int team) {
  static constexpr TeamColour kColours[] = {
      {214, 16, "#E69F00", "#000000"},  // orange
      {74, 16, "#56B4E9", "#000000"},   // sky blue
      {36, 16, "#009E73", "#000000"},   // bluish green
      {227, 16, "#F0E442", "#000000"},  // yellow
      {25, 231, "#0072B2", "#FFFFFF"},  // blue
      {166, 16, "#D55E00", "#000000"},  // vermilion
      {175, 16, "#CC79A7", "#000000"},  // reddish purple
  };
  static_assert(std::size(kColours) == kTeamColours);
  return kColours[static_cast<std::size_t>(team) % std::size(kColours)];
}

}  // namespace nestbind::show
