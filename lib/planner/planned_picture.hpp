// SPDX-License-Identifier: BSD-3-Clause
// Draws where threads may run, and describes the machine for a report.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "machine/hardware.hpp"
#include "planner/planner.hpp"

namespace nestbind::planner {

// Implements PlannerApi::draw. allowed: as for Topology::of. Throws bad_alloc.
char* picture(const machine::Hardware& hardware, const std::optional<std::vector<int>>& allowed,
              std::span<const PlannerOccupant> threads, const PlannerCanvas& canvas);

// Implements PlannerApi::node. If `allowed` is none, the JSON has no "allowed". Throws bad_alloc.
char* node(const machine::Hardware& hardware, const std::optional<std::vector<int>>& allowed);

}  // namespace nestbind::planner
