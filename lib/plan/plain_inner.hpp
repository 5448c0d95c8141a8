// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "plan/teams.hpp"

namespace nestbind::plan {

// All teams of a plain inner level, for its masters in path order, with a size for each.
std::vector<Team> plan_level(const machine::Machine& machine, const Rules& rules, int level,
                             const std::vector<Seat>& masters, const std::vector<int>& sizes);

}  // namespace nestbind::plan
