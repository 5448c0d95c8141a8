// SPDX-License-Identifier: BSD-3-Clause
// A member's size for its next team, if the runtime cannot take this size yet.
//
// If a thread outside of active regions sets a smaller size, LLVM's runtime at once makes its
// outermost team smaller, and takes the thread for a member of this team. In a region of one
// thread, the runtime then divides loops among the number of threads that was set. In a static
// schedule(runtime) loop, the one thread gets only one share, and no thread runs the other shares.
// So the size is set only when the thread forks. Then count_anew() corrects the runtime's count.
#pragma once

#include "binding/thread.hpp"
#include "omp/calls.hpp"
#include "options/settings.hpp"
#include "placement/place.hpp"

namespace nestbind::placement {

// Gives the calling thread, at `place`, the size of its next team: now, or when it forks.
void give_next_size(const Place& place, const omp::Calls& runtime);

// Call this when a thread that is owed a size forks. asked: the number of threads that the runtime
// is about to use; 0: not known, or there is no clause. If a clause asks for another size than the
// runtime's settings, the size stays owed (`owe_size_after`). Returns the new `asked`.
unsigned give_owed_size(const omp::Calls& runtime, unsigned asked);

// Called on the primary thread of a new team of `size` if the thread got its owed size at this
// fork. In a team of one thread, makes the runtime divide loops among one thread again.
void count_anew(const omp::Calls& runtime, int size);

// Gives the calling thread the size that it is owed.
inline void pay(const omp::Calls& runtime) {
  binding::Thread& thread = binding::t_thread;
  const int owed = thread.owed_size;
  thread.owed_size = 0;
  thread.was_paid = true;
  runtime.set_num_threads(owed);
}

// Whether the calling thread would be owed the size of its next team after a fork from this place.
inline bool is_owed_at(const Place* place, const omp::Calls& runtime) {
  return place != nullptr && !place->is_active && runtime.is_llvm && place->planned.next_size > 0 &&
         binding::t_thread.chose_at != place && options::settings().sizes;
}

// Called after the region of the calling thread's team `joined`; null: there was no team.
inline void owe_size_after(const team::Team* joined) {
  const Place* const place = joined == nullptr ? nullptr : joined->from->place;
  const bool is_owed = place != nullptr && is_owed_at(place, *joined->runtime);
  binding::t_thread.owed_size = is_owed ? place->planned.next_size : 0;
}

}  // namespace nestbind::placement
