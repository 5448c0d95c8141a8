// SPDX-License-Identifier: BSD-3-Clause
// Finds the places of a team from the place of the forking thread.
#pragma once

#include "placement/place.hpp"

namespace nestbind::placement {

// Unbinds a bound thread that has no place any more.
void stand_up();

// Called on a thread that forks an unplanned team. Gives the thread the process's mask, because new
// threads inherit the mask. Returns `place`.
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
// Like fork_if_new(), but the fork must differ from the thread's last fork.
void fork_anew(const omp::Calls& runtime, const void* code);

}  // namespace plain

}  // namespace nestbind::placement
