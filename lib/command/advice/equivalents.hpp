// SPDX-License-Identifier: BSD-3-Clause
// The same layout in the variables and commands of others, or why they cannot say it.
#pragma once

#include <string>
#include <vector>

#include "advice/native_partition.hpp"
#include "show/layout.hpp"

namespace nestbind::advice {

struct Equivalent {
  std::string tool;       // "OMP_PLACES", "OMP_PLACES=cores", "KMP_AFFINITY", ...
  bool is_equal = false;  // each member of the deepest teams has the processors that the plan says
  std::string line;       // what to set or type, as in a shell; where it is not equal, what comes
                          // nearest; empty: nothing does
  std::string reason;     // why it is not equal; empty where it is
};

// What a program on one runtime would need in place of nestbind, decided by a model of the runtime
// (partition.hpp). One row for each tool, in a fixed order. machine_cores: the cores that the
// process may use, as slots, in the order of the machine.
std::vector<Equivalent> equivalents(const show::Layout& layout,
                                    const std::vector<machine::Slot>& machine_cores,
                                    Runtime runtime);

// A list of places as OMP_PLACES has it; three and more at a regular distance are put together
// ("{0}:16:1").
std::string places_text(const std::vector<std::vector<int>>& places);

}  // namespace nestbind::advice
