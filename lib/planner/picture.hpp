// SPDX-License-Identifier: BSD-3-Clause
// Who may run where, drawn for the other side of the border.
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

}  // namespace nestbind::planner
