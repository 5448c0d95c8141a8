// SPDX-License-Identifier: BSD-3-Clause
// The size for a member's next team, if this size must not be set before the fork. Until the fork,
// the size is "owed" to the thread, and Thread::owed_size has it.
//
// If a thread outside of active regions sets a smaller size, LLVM's runtime at once makes the
// outermost team smaller. The runtime takes the thread for a member of this team. In a region of
// one thread, the runtime divides loops among the number of threads that was set. In a static
// schedule(runtime) loop, the one thread gets only one share, and no thread runs the other shares.
// So the size is set only when the thread forks. Then count_anew() corrects the runtime's count.
#pragma once

#include "binding/thread.hpp"
#include "omp/calls.hpp"
#include "options/settings.hpp"
#include "placement/place.hpp"

namespace nestbind::placement {

// Sets the next team's size for the calling thread, at `place`: now, or when the thread forks.
void give_next_size(const Place& place, const omp::Calls& runtime);

// Sets the owed size of the calling thread, which forks. asked: the number of threads that the
// runtime is about to use, or 0 if it is not known or there is no clause. If a clause asks for a
// size other than the runtime's setting, the size stays owed (`owe_size_after`). Returns the new
// `asked`.
unsigned give_owed_size(const omp::Calls& runtime, unsigned asked);

// If a new team has one thread (`size` is 1), makes the runtime divide loops among one thread
// again. Called on the team's primary thread if the owed size was set at this fork.
void count_anew(const omp::Calls& runtime, int size);

// Sets the owed size of the calling thread.
inline void pay(const omp::Calls& runtime) {
  binding::Thread& thread = binding::t_thread;
  const int owed = thread.owed_size;
  thread.owed_size = 0;
  thread.was_paid = true;
  runtime.set_num_threads(owed);
}

// Whether the size of the calling thread's next team is owed after a fork from this place.
inline bool is_owed_at(const Place* place, const omp::Calls& runtime) {
  return place != nullptr && !place->is_active && runtime.is_llvm && place->planned.next_size > 0 &&
         binding::t_thread.chose_at != place && options::settings().sizes;
}

// Sets Thread::owed_size after the region of the calling thread's team `joined` (null: no team).
inline void owe_size_after(const team::Team* joined) {
  const Place* const place = joined == nullptr ? nullptr : joined->from->place;
  const bool is_owed = place != nullptr && is_owed_at(place, *joined->runtime);
  binding::t_thread.owed_size = is_owed ? place->planned.next_size : 0;
}

}  // namespace nestbind::placement
