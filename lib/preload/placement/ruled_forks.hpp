// SPDX-License-Identifier: BSD-3-Clause
// The fork functions that differ from plain_forks.hpp if there are rules for single regions.
#pragma once

#include "team/team.hpp"

namespace nestbind::placement::ruled {

unsigned fork(const omp::Calls& runtime, const void* code, unsigned asked);
void expect(team::Team& team);
void begin(team::Member& member, const team::Team& told);
void end(team::Member& member, team::Team* joined);

}  // namespace nestbind::placement::ruled
