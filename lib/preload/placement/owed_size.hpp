// SPDX-License-Identifier: BSD-3-Clause
// A member's size for its next team, where the runtime cannot take it yet.
//
// LLVM's runtime makes its outermost team smaller as soon as a thread outside of active regions
// sets a smaller size, and takes that thread for a member of it. In a region of one thread, the
// dispatch of loops then counts as many threads as were set: of a schedule(runtime) loop that is
// static it gives the one thread its share, and nobody the rest. So there the size is set when the
// thread forks; behind that fork the runtime counts anew.
#pragma once

#include "binding/thread.hpp"
#include "omp/calls.hpp"
#include "options/settings.hpp"
#include "placement/place.hpp"

namespace nestbind::placement {

// The calling thread has come to this place: it gets its next size, now or when it forks.
void give_next_size(const Place& place, const omp::Calls& runtime);

// The calling thread forks, and is owed a size. asked: how many threads, as the runtime is about to
// decide; 0: not known, or no clause. A team of another size than the settings' is the clause's: it
// leaves the size owed where `owe_size_after` finds it again. Returns what is asked for now.
unsigned give_owed_size(const omp::Calls& runtime, unsigned asked);

// The calling thread begins as the primary thread of a team of this size, to which it was given the
// size that it was owed: a team of one after all has to be counted as one.
void count_anew(const omp::Calls& runtime, int size);

// The calling thread, which is owed a size, gets it.
inline void pay(const omp::Calls& runtime) {
  binding::Thread& thread = binding::t_thread;
  const int owed = thread.owed_size;
  thread.owed_size = 0;
  thread.was_paid = true;
  runtime.set_num_threads(owed);
}

// Whether a thread that forks from here is owed the size of its team, if it is the calling one.
inline bool is_owed_at(const Place* place, const omp::Calls& runtime) {
  return place != nullptr && !place->is_active && runtime.is_llvm && place->planned.next_size > 0 &&
         binding::t_thread.chose_at != place && options::settings().sizes;
}

// The calling thread is back where it forked this team; null: it is outside.
inline void owe_size_after(const team::Team* joined) {
  const Place* const place = joined == nullptr ? nullptr : joined->from->place;
  const bool is_owed = place != nullptr && is_owed_at(place, *joined->runtime);
  binding::t_thread.owed_size = is_owed ? place->planned.next_size : 0;
}

}  // namespace nestbind::placement
