// SPDX-License-Identifier: BSD-3-Clause
// Who may run where, drawn for the other side of the border, and the machine in a report.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "machine/hardware.hpp"
#include "planner/planner.hpp"

namespace nestbind::planner {

// As PlannerApi::draw, of a machine as far as it is allowed (none given: all of it). Throws
// bad_alloc.
char* picture(const machine::Hardware& hardware, const std::optional<std::vector<int>>& allowed,
              std::span<const PlannerOccupant> threads, const PlannerCanvas& canvas);

// As PlannerApi::node, for whoever compares the reports of several processes: of a machine and what
// is allowed of it (none given: that is not told). Throws bad_alloc.
char* node(const machine::Hardware& hardware, const std::optional<std::vector<int>>& allowed);

}  // namespace nestbind::planner
