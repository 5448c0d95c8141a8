// SPDX-License-Identifier: BSD-3-Clause
// A machine as boxes, and who may run where on it: for a terminal, and for whoever draws with means
// of their own. Pure: what the terminal is like is the caller's to find out.
//
// Boards, packages, NUMA nodes, dies, and the L3 and L2 that several cores share are boxes, those
// with the same processors one; cores are tiles in them: "1.3" where the thread of that path sits,
// "[1.3|1.4]" where a core has hardware threads of different use, a dot where nobody sits. A thread
// that may run on several cores is named in the smallest box around them, which its cores show by a
// "~" where nobody else sits. Where the whole would be longer than the canvas, neighbours that are
// alike are drawn once: of the same shape, and with the same threads but for one number of their
// paths, which grows by the same from one to the next.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "machine/hardware.hpp"

namespace nestbind::show {

// A thread. One that leads an inner team comes once, by its path there (1.0, not 1).
struct Occupant {
  std::vector<int> path;  // thread numbers from the outermost team on; empty: the initial thread
  std::vector<int> cpus;  // where it may run, by the operating system's numbers, in any order; at
                          // least one. Those that the machine does not have are left out
  std::string mark = {};  // what is to be said of it, such as "wandered"; empty: nothing
  std::string name = {};  // what is written in place of the path; empty: the path. Both as a
                          // terminal may get them, of one column a byte
};

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

struct Picture {
  std::vector<Line> lines;
  std::vector<Line> legend;  // what is free, and what the signs in the lines mean: those that occur
};

// Draws `hardware` as far as it is in `allowed` (none given: all that it allows), and the
// processors of the occupants besides. `hardware` keeps its invariants (machine/invariants.hpp).
Picture draw(const machine::Hardware& hardware, const std::optional<std::vector<int>>& allowed,
             const std::vector<Occupant>& occupants, const Canvas& canvas);

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
