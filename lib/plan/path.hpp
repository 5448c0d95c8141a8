// SPDX-License-Identifier: BSD-3-Clause
// Which thread of the program is meant.
#pragma once

#include <compare>
#include <vector>

namespace nestbind::plan {

// One enclosing team of a thread: its number there, and the team's real size.
struct Step {
  int number = 0;
  int size = 1;
  auto operator<=>(const Step&) const = default;
};
using Path = std::vector<Step>;

}  // namespace nestbind::plan
