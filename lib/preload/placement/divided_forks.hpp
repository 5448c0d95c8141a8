// SPDX-License-Identifier: BSD-3-Clause
// The fork functions that differ from plain_forks.hpp if root threads divide the plan.
#pragma once

#include "team/team.hpp"

namespace nestbind::placement::divided {

void fork(const omp::Calls& runtime, const void* code, unsigned asked);
void end(team::Member& member, team::Team* joined);

}  // namespace nestbind::placement::divided
