// SPDX-License-Identifier: BSD-3-Clause
// How other tools' variables and commands produce the same layout, or why they cannot.
#pragma once

#include <string>
#include <vector>

#include "advice/native_partition.hpp"
#include "show/layout.hpp"

namespace nestbind::advice {

struct Equivalent {
  std::string tool;
  bool is_equal = false;  // each member of the deepest teams has its planned processors
  std::string line;
  std::string reason;
};

// Returns the settings that produce the layout without nestbind, for a program on one runtime.
// machine_cores: the cores that the process may use, as slots, in the machine's order.
std::vector<Equivalent> equivalents(const show::Layout& layout,
                                    const std::vector<machine::Slot>& machine_cores,
                                    Runtime runtime);

// Three or more places at equal steps are one item ("{0}:16:1").
std::string places_text(const std::vector<std::vector<int>>& places);

}  // namespace nestbind::advice
