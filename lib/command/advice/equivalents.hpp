// SPDX-License-Identifier: BSD-3-Clause
// How other tools' variables and commands produce the same layout, or why they cannot.
#pragma once

#include <string>
#include <vector>

#include "advice/native_partition.hpp"
#include "show/layout.hpp"

namespace nestbind::advice {

struct Equivalent {
  std::string tool;       // "OMP_PLACES", "OMP_PLACES=cores", "KMP_AFFINITY", ...
  bool is_equal = false;  // each member of the deepest teams has its planned processors
  std::string line;       // the equal or nearest setting, for a shell; may be empty
  std::string reason;     // why the setting is not equal, or empty
};

// Returns the settings that a program on one runtime would need instead of nestbind. Each tool has
// one row, in a fixed order. A model of the runtime (native_partition.hpp) says where threads would
// be. machine_cores: the cores that the process may use, as slots, in the machine's order.
std::vector<Equivalent> equivalents(const show::Layout& layout,
                                    const std::vector<machine::Slot>& machine_cores,
                                    Runtime runtime);

// Returns a list for OMP_PLACES. Three or more places at equal steps are one item ("{0}:16:1").
std::string places_text(const std::vector<std::vector<int>>& places);

}  // namespace nestbind::advice
