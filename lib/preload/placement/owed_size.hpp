// SPDX-License-Identifier: BSD-3-Clause
// A member's size for its next team, where the runtime cannot take it yet.
//
// LLVM's runtime makes its outermost team smaller as soon as a thread outside of active regions
// sets a smaller size, and takes that thread for a member of it. In a region of one thread, the
// dispatch of loops then counts as many threads as were set: of a schedule(runtime) loop that is
// static it gives the one thread its share, and nobody the rest. So there the size is set when the
// thread forks; behind that fork the runtime counts anew.
#pragma once

#include "omp/calls.hpp"

namespace nestbind::placement {

struct Place;

// The calling thread has come to this place: it gets its next size, now or when it forks.
void give_next_size(const Place& place, const omp::Calls& runtime);

// The calling thread forks, and is owed a size. asked: how many threads, as the runtime is about to
// decide; 0: not known, or no clause. A team of another size than the settings' is the clause's: it
// leaves the size owed where `owe_size_at` finds it again. Returns what is asked for now.
unsigned give_owed_size(const omp::Calls& runtime, unsigned asked);

// The calling thread begins as the primary thread of a team of this size, to which it was given the
// size that it was owed: a team of one after all has to be counted as one.
void count_anew(const omp::Calls& runtime, int size);

// The calling thread is back at this place, behind a region that it has forked there; null: it is
// outside.
void owe_size_at(const Place* place);

}  // namespace nestbind::placement
