// SPDX-License-Identifier: BSD-3-Clause
// Finds the places of a team from the place of the forking thread.
#pragma once

#include "placement/place.hpp"

namespace nestbind::placement {

// Unbinds a bound thread that has no place any more.
void stand_up();

// Gives the process's mask to the calling thread, which forks from the unmanaged place `place`. New
// threads of its unplanned team inherit this mask.
const Place* forked_unmanaged(const Place* place);

namespace plain {

void fork(const omp::Calls& runtime, const void* code, unsigned asked);
void expect(team::Team& team);
void open(team::Team& team);
void begin(team::Member& member, const team::Team& told);
void end(team::Member& member, team::Team* joined);
void league(const omp::Calls& runtime);
void root_ends(team::Member& root);

void fork_if_new(const omp::Calls& runtime, const void* code);
// Like fork_if_new(), but for a fork that is known to differ from the thread's last fork.
void fork_anew(const omp::Calls& runtime, const void* code);

}  // namespace plain

}  // namespace nestbind::placement
