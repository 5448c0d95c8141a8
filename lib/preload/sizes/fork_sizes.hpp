// SPDX-License-Identifier: BSD-3-Clause
// The sizes that nestbind sets in the runtime around a fork: the size that a place knows for its
// next team, and the size of a region's rule, for one fork.
//
// In LLVM's runtime, nestbind sets the size of some teams only when a member forks the team. Before
// the fork, the size is "owed" to the member (Thread::owed_size).
//
// Outside of active regions, a call of omp_set_num_threads with a smaller size shrinks the
// outermost team immediately. In a region of one thread, omp_set_num_threads(4) makes the runtime
// divide loops into four shares. In a static schedule(runtime) loop, the thread then runs only one
// of the four shares.
#pragma once

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

// Returns 0 if the rule sets no size. The size never exceeds omp_get_max_threads(), because the
// program may rely on this limit.
unsigned ruled_size(const omp::Calls& runtime, const Place& place, unsigned asked);

// Called before the fork, and after the region. For GCC's entries, end_ruled_sizes() restores the
// settings after the region. For the tool interface, put_back() restores the settings.
void begin_ruled_sizes(team::Team& team);
void end_ruled_sizes(const team::Member& member, team::Team& joined);
void put_back(team::Team& team);

// Restores the runtime's settings that a rule has changed.
void put_sizes_back();
inline void region_is_over() {
  const team::Member* const from = team::t_here.member;
  if (from != nullptr && from->forked != nullptr && from->forked->puts_back) {
    put_sizes_back();
  }
}

// Called on each member of a team whose rule has set something. In LLVM's runtime, the inner teams
// of members get the rule's size, too. If the rule has no size for the inner level, restores the
// setting from before the fork.
void begin_ruled_member(const team::Member& member, const team::Team& told);

// Called on the forking thread when a rule has changed settings. May be null.
extern std::atomic<void (*)(const omp::Calls& runtime)> g_when_size_is_set
    __attribute__((visibility("hidden")));

}  // namespace nestbind::placement
