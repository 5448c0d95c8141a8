// SPDX-License-Identifier: BSD-3-Clause
// The size for a member's next team, if this size must not be set before the fork. Until the fork,
// the size is "owed" to the thread, and Thread::owed_size has it.
//
// A smaller size that is set outside of active regions at once shrinks LLVM's outermost team. In a
// region of one thread, the runtime then divides loops among that many threads. In a static
// schedule(runtime) loop, no thread runs the shares of missing threads.
#pragma once

#include "binding/thread.hpp"
#include "omp/calls.hpp"
#include "options/settings.hpp"
#include "placement/place.hpp"

namespace nestbind::placement {

// Sets the size of the calling thread's next team, now or at the fork.
void give_next_size(const Place& place, const omp::Calls& runtime);

// Sets the owed size of the calling thread, which forks. asked: the number of threads that the
// runtime is about to use, or 0 if not known. If a clause asks for another size, the owed size may
// wait for a later fork.
unsigned give_owed_size(const omp::Calls& runtime, unsigned asked);

// If `size` is 1, makes the runtime divide loops among one thread again. Called on the team's
// primary thread after pay().
void count_anew(const omp::Calls& runtime, int size);

// Sets the owed size of the calling thread.
inline void pay(const omp::Calls& runtime) {
  binding::Thread& thread = binding::t_thread;
  const int owed = thread.owed_size;
  thread.owed_size = 0;
  thread.was_paid = true;
  runtime.set_num_threads(owed);
}

// Whether nestbind sets the next team's size at this place only at the fork.
inline bool is_owed_at(const Place* place, const omp::Calls& runtime) {
  return place != nullptr && !place->is_active && runtime.is_llvm && place->planned.next_size > 0 &&
         binding::t_thread.chose_at != place && options::settings().sizes;
}

// Sets Thread::owed_size at the end of the region of `joined`, which may be null.
inline void owe_size_after(const team::Team* joined) {
  const Place* const place = joined == nullptr ? nullptr : joined->from->place;
  const bool is_owed = place != nullptr && is_owed_at(place, *joined->runtime);
  binding::t_thread.owed_size = is_owed ? place->planned.next_size : 0;
}

}  // namespace nestbind::placement
