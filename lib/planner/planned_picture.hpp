// SPDX-License-Identifier: BSD-3-Clause
// Draws where threads may run, and writes the machine for a report.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "machine/hardware.hpp"
#include "planner/planner.hpp"

namespace nestbind::planner {

// Implements PlannerApi::draw for the allowed part of a machine (none: all). Throws bad_alloc.
char* picture(const machine::Hardware& hardware, const std::optional<std::vector<int>>& allowed,
              std::span<const PlannerOccupant> threads, const PlannerCanvas& canvas);

// Implements PlannerApi::node. allowed: the processors to write as allowed (none: not written).
// Throws bad_alloc.
char* node(const machine::Hardware& hardware, const std::optional<std::vector<int>>& allowed);

}  // namespace nestbind::planner
