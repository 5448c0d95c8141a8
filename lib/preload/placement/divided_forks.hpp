// SPDX-License-Identifier: BSD-3-Clause
// If root threads divide the machine, these functions replace the functions of plain_forks.hpp.
#pragma once

#include "team/team.hpp"

namespace nestbind::placement::divided {

void fork(const omp::Calls& runtime, const void* code, unsigned asked);
void end(team::Member& member, team::Team* joined);

}  // namespace nestbind::placement::divided
