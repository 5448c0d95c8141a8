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
#include "show/line.hpp"

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

struct Picture {
  std::vector<Line> lines;
  std::vector<Line> legend;  // what is free, and what the signs in the lines mean: those that occur
};

// Draws `hardware` as far as it is in `allowed` (none given: all that it allows), and the
// processors of the occupants besides. `hardware` keeps its invariants (machine/invariants.hpp).
Picture draw(const machine::Hardware& hardware, const std::optional<std::vector<int>>& allowed,
             const std::vector<Occupant>& occupants, const Canvas& canvas);

}  // namespace nestbind::show
