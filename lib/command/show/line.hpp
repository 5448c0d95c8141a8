// SPDX-License-Identifier: BSD-3-Clause
// Lines with coloured parts, and the canvas on which they are shown.
#pragma once

#include <string>
#include <vector>

namespace nestbind::show {

struct Canvas {
  int columns = 80;  // width; at least kFewestColumns are used
  int rows = 24;     // if a picture needs more rows, similar parts are drawn once
  bool has_colour = false;
  bool is_utf8 = true;  // if false, ASCII
};
inline constexpr int kFewestColumns = 30;

struct Span {
  std::string text;
  int team = -1;  // the thread's outer team, for the colour; -1 for no colour
  bool operator==(const Span&) const = default;
};
using Line = std::vector<Span>;

std::string text_of(const std::vector<Line>& lines, const Canvas& canvas);

// Puts two blocks of lines side by side: `left` is filled up to `columns`, and `gap` blanks follow.
std::vector<Line> beside(const std::vector<Line>& left, const std::vector<Line>& right, int columns,
                         int gap);

int width_of(const Line& line);
int width_of(const std::vector<Line>& lines);

// The colours of Okabe and Ito ("Color Universal Design", 2008), for people with any kind of colour
// vision.
struct TeamColour {
  int background;  // of xterm's 256 colours
  int text;
  const char* background_rgb;
  const char* text_rgb;
};
// The colours repeat after kTeamColours teams.
inline constexpr int kTeamColours = 7;
const TeamColour& colour_of(int team);

}  // namespace nestbind::show
