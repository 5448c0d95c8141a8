// SPDX-License-Identifier: BSD-3-Clause
// Lines of which some parts have colours, and what they are shown on.
#pragma once

#include <string>
#include <vector>

namespace nestbind::show {

struct Canvas {
  int columns = 80;  // no line is wider; fewer than kFewestColumns count as that many
  int rows = 24;     // where the picture would be longer, what is alike is folded
  bool has_colour = false;
  bool is_utf8 = true;  // otherwise ASCII
};
inline constexpr int kFewestColumns = 30;

// A part of a line. A thread's has the first number of its path: the outer team, whose colour it
// gets.
struct Span {
  std::string text;
  int team = -1;  // -1: no colour
  bool operator==(const Span&) const = default;
};
using Line = std::vector<Span>;

// The lines as they are printed, each with its end; with escape sequences if the canvas has colour.
std::string text_of(const std::vector<Line>& lines, const Canvas& canvas);

// Two blocks of lines beside each other, `left` filled up to `columns`, with `gap` blanks between.
std::vector<Line> beside(const std::vector<Line>& left, const std::vector<Line>& right, int columns,
                         int gap);

// How many columns a line takes.
int width_of(const Line& line);

// The colours of Okabe and Ito ("Color Universal Design", 2008), which people with any kind of
// colour vision tell apart. Text and background are both set, so that it does not matter which the
// terminal has.
struct TeamColour {
  int background;  // of xterm's 256 colours
  int text;
  const char* background_rgb;  // "#E69F00"
  const char* text_rgb;
};
// Team 0 has the first; they come again from team kTeamColours on.
inline constexpr int kTeamColours = 7;
const TeamColour& colour_of(int team);

}  // namespace nestbind::show
