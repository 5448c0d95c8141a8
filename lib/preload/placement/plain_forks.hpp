// SPDX-License-Identifier: BSD-3-Clause
// What happens at a fork: from the forking thread's place to the places of its team. Functions of a
// row (team/consumer.hpp), and what other rows have in common with it.
#pragma once

#include "placement/place.hpp"

namespace nestbind::placement {

// Of a bound thread: it has no place any more.
void stand_up();

// The calling thread forks from an unmanaged place, which is returned: a team that is not planned
// begins with the process's mask, and so do threads that are created for it, which inherit their
// creator's.
const Place* forked_unmanaged(const Place* place);

namespace plain {

void fork(const omp::Calls& runtime, const void* code, unsigned asked);
void expect(team::Team& team);
void open(team::Team& team);
void begin(team::Member& member, const team::Team& told);
void end(team::Member& member, team::Team* joined);
void league(const omp::Calls& runtime);
void root_ends(team::Member& root);

// As fork, of a thread that is owed no size.
void fork_if_new(const omp::Calls& runtime, const void* code);
// The same, of one that does not fork as it did the last time.
void fork_anew(const omp::Calls& runtime, const void* code);

}  // namespace plain

}  // namespace nestbind::placement
