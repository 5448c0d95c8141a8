// SPDX-License-Identifier: BSD-3-Clause
// If there are rules for regions, these functions replace the functions of plain_forks.hpp.
#pragma once

#include "team/team.hpp"

namespace nestbind::placement::ruled {

unsigned fork(const omp::Calls& runtime, const void* code, unsigned asked);
void expect(team::Team& team);
void begin(team::Member& member, const team::Team& told);
void end(team::Member& member, team::Team* joined);

}  // namespace nestbind::placement::ruled
