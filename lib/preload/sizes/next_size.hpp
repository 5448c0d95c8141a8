// SPDX-License-Identifier: BSD-3-Clause
// In LLVM's runtime, nestbind sets the size of some teams only when a member forks the team. Before
// the fork, the size is "owed" to the member (Thread::owed_size).
//
// Outside of active regions, a call of omp_set_num_threads with a smaller size shrinks the
// outermost team immediately. In a region of one thread, omp_set_num_threads(4) makes the runtime
// divide loops into four shares. In a static schedule(runtime) loop, the thread then runs only one
// of the four shares.
#pragma once

#include "binding/thread.hpp"
#include "omp/calls.hpp"
#include "options/settings.hpp"
#include "places/place.hpp"

namespace nestbind::placement {

// Sets the size of the calling thread's next team, now or at the fork.
void give_next_size(const Place& place, const omp::Calls& runtime);

// Called at a fork. `asked` is the number of threads that the runtime will use, or 0 if not known.
// Returns the new value of `asked`.
unsigned give_owed_size(const omp::Calls& runtime, unsigned asked);

// If `size` is 1, stops the runtime from dividing loops into several shares. Called on the team's
// primary thread after pay().
void count_anew(const omp::Calls& runtime, int size);

inline void pay(const omp::Calls& runtime) {
  binding::Thread& thread = binding::t_thread;
  const int owed = thread.owed_size;
  thread.owed_size = 0;
  thread.was_paid = true;
  runtime.set_num_threads(owed);
}

inline bool is_owed_at(const Place* place, const omp::Calls& runtime) {
  return place != nullptr && !place->is_active && runtime.is_llvm && place->planned.next_size > 0 &&
         binding::t_thread.chose_at != place && options::settings().sizes;
}

// Called at the end of a region. `joined` may be null.
inline void owe_size_after(const team::Team* joined) {
  const Place* const place = joined == nullptr ? nullptr : joined->from->place;
  const bool is_owed = place != nullptr && is_owed_at(place, *joined->runtime);
  binding::t_thread.owed_size = is_owed ? place->planned.next_size : 0;
}

}  // namespace nestbind::placement
