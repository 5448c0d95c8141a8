// SPDX-License-Identifier: BSD-3-Clause
// Draws a machine as boxes, with threads where they may run, for a terminal and for other forms.
//
// Boxes are boards, packages, NUMA nodes, dies, and the L3 and L2 caches that several cores share.
// Objects with the same processors are one box. Cores are tiles in boxes: "1.3" is the thread with
// this path. "[1.3|1.4]" is a core with two hardware threads: 1.3 runs on the first, 1.4 on the
// second. A dot is a free core. A thread that may run on several cores is named in the smallest box
// around them. Each of these cores shows "~" if the core has no other thread. If the picture is
// longer than the canvas, similar neighbours are drawn once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "machine/hardware.hpp"
#include "show/line.hpp"

namespace nestbind::show {

// The primary thread of an inner team appears once, with its inner path (1.0, not 1). `mark` and
// `name` have printable characters of one byte.
struct Occupant {
  std::vector<int> path;  // thread numbers, the outermost team first; empty for the initial thread
  std::vector<int> cpus;  // the operating system's numbers, at least one; unknown numbers are
                          // ignored
  std::string mark = {};  // a remark, such as "wandered"; may be empty
  std::string name = {};  // replaces the path if not empty
};

struct Picture {
  std::vector<Line> lines;
  std::vector<Line> legend;
};

// Draws the processors in `allowed` (by default those that `hardware` allows), and the occupants'
// processors. `hardware` must keep its invariants (machine/hardware.hpp).
Picture draw(const machine::Hardware& hardware, const std::optional<std::vector<int>>& allowed,
             const std::vector<Occupant>& occupants, const Canvas& canvas);

}  // namespace nestbind::show
