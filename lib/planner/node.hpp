// SPDX-License-Identifier: BSD-3-Clause
// The machine in a report, for whoever compares the reports of several processes.
#pragma once

#include <optional>
#include <vector>

#include "machine/hardware.hpp"

namespace nestbind::planner {

// As PlannerApi::node, of a machine and what is allowed of it (none given: that is not told).
// Throws bad_alloc.
char* node(const machine::Hardware& hardware, const std::optional<std::vector<int>>& allowed);

}  // namespace nestbind::planner
