// SPDX-License-Identifier: BSD-3-Clause
#include "sizes/fork_sizes.hpp"

#include <unistd.h>

#include "process/message.hpp"
#include "support/errno_kept.hpp"

namespace nestbind::placement {

using binding::t_thread;

void give_next_size(const Place& place, const omp::Calls& runtime) {
  t_thread.owed_size = 0;
  const int size = place.planned.next_size;
  if (size <= 0 || !options::settings().sizes) {
    return;
  }
  if (runtime.is_llvm && !place.is_active) {
    t_thread.owed_size = size;
  } else {
    runtime.set_num_threads(size);
  }
}

unsigned give_owed_size(const omp::Calls& runtime, unsigned asked) {
  const int owed = t_thread.owed_size;
  const bool is_of_clause = asked > 0 && static_cast<int>(asked) != runtime.get_max_threads();
  if (team::t_here.told != &runtime || (is_of_clause && is_owed_at(own_place(), runtime))) {
    return asked;
  }
  pay(runtime);
  return asked > 0 && !is_of_clause ? static_cast<unsigned>(owed) : asked;
}

// After set_num_threads(1), the runtime does not divide the loops of a region of one thread, even
// if a later call sets a larger size. The second call sets the size of the next team again.
void count_anew(const omp::Calls& runtime, int size) {
  t_thread.was_paid = false;
  if (size == 1) {
    const int next = runtime.get_max_threads();
    runtime.set_num_threads(1);
    runtime.set_num_threads(next);
  }
}

constinit std::atomic<void (*)(const omp::Calls&)> g_when_size_is_set{nullptr};

namespace {

// False for GCC's runtime if POMP reports the forks.
bool can_size(const omp::Calls& runtime) { return runtime.tells_functions || runtime.is_llvm; }

// LLVM's runtime releases workers if a root thread outside of active regions sets a smaller size.
// The inner teams of these workers still belong to this root thread. If the root thread has ended,
// omp_set_num_threads crashes in these teams. The initial thread lives as long as the process.
bool may_let_workers_go(const omp::Calls& runtime, const Place& place) {
  return runtime.is_llvm && !place.is_active && gettid() != getpid();
}

// Also a team that is not bound has the rule's sizes.
bool has_plan(const Place* place) { return place != nullptr && place->plan != nullptr; }

// True if the maximum of active levels is set inside the region. LLVM's runtime undoes this setting
// at the end of a region of one thread.
bool sets_levels_inside(const team::Team& team) {
  const unsigned size = team.sized > 0 ? team.sized : team.ruled.asked;
  return size == 1 && !team.runtime->tells_functions && has_plan(team.ruled.place) &&
         team.ruled.place->plan->rule_levels > 0;
}

// Returns the earlier maximum, or 0 if nothing was changed.
int set_levels(const team::Team& team) {
  const Place* const place = team.ruled.place;
  const int levels = has_plan(place) ? place->plan->rule_levels : 0;
  if (levels == 0 || !options::settings().sizes || !can_size(*team.runtime)) {
    return 0;
  }
  const int present = team.runtime->get_max_active_levels();
  if (present >= levels) {
    return 0;
  }
  team.runtime->set_max_active_levels(levels);
  return present;
}

}  // namespace

unsigned ruled_size(const omp::Calls& runtime, const Place& place, unsigned asked) {
  const int wanted = place.planned.next_size;
  if (wanted <= 0 || !options::settings().sizes || !can_size(runtime) ||
      (runtime.tells_functions && asked > 0)) {
    return 0;
  }
  const int most = runtime.get_max_threads();
  if (asked > 0 && static_cast<int>(asked) != most) {
    return 0;
  }
  if (wanted > most) {
    static constinit std::atomic<bool> told{false};
    process::warn_once(told,
                       "a rule asks for %d threads, but gets %d: the program may have allocated "
                       "memory by omp_get_max_threads(); set a larger OMP_NUM_THREADS",
                       wanted, most);
  }
  if (wanted >= most) {
    return static_cast<unsigned>(most);
  }
  return may_let_workers_go(runtime, place) ? 0 : static_cast<unsigned>(wanted);
}

void begin_ruled_sizes(team::Team& team) {
  const omp::Calls& runtime = *team.runtime;
  team::Ruled& ruled = team.ruled;
  const int rule_levels = has_plan(ruled.place) ? ruled.place->plan->rule_levels : 0;
  const bool sets_nothing = rule_levels == 0 || runtime.get_max_active_levels() >= rule_levels;
  if (runtime.tells_functions && sets_nothing) {
    ruled.levels_before = 0;
    team.puts_back = ruled.lost_place;
    return;
  }
  if (!runtime.tells_functions && team.sized > 0 && team.sized != ruled.asked) {
    runtime.set_num_threads(static_cast<int>(team.sized));
    ruled.threads_before = static_cast<int>(ruled.asked);
  }
  const bool is_inside = sets_levels_inside(team);
  ruled.levels_before = is_inside ? 0 : set_levels(team);
  const bool is_set = ruled.threads_before > 0 || ruled.levels_before > 0;
  team.puts_back = ruled.lost_place || is_set || is_inside;
  auto* const tell = g_when_size_is_set.load(std::memory_order_relaxed);
  if (is_set && tell != nullptr) {
    tell(runtime);
  }
}

void begin_ruled_member(const team::Member& member, const team::Team& told) {
  if (sets_levels_inside(told)) {
    set_levels(told);
  }
  if (told.ruled.threads_before > 0 && member.team != nullptr && member.team->size > 1 &&
      has_plan(member.place) && member.place->planned.next_size == 0) {
    told.runtime->set_num_threads(told.ruled.threads_before);
  }
}

void put_back(team::Team& team) {
  team::Ruled& ruled = team.ruled;
  if (ruled.threads_before > 0) {
    team.runtime->set_num_threads(ruled.threads_before);
  }
  if (ruled.levels_before > 0) {
    team.runtime->set_max_active_levels(ruled.levels_before);
  }
  ruled.threads_before = 0;
  ruled.levels_before = 0;
  team.puts_back = false;
}

void end_ruled_sizes(const team::Member& member, team::Team& joined) {
  team::Ruled& ruled = joined.ruled;
  if (joined.runtime->tells_functions) {
    put_back(joined);
  } else if (ruled.threads_before > 0 && member.team != nullptr && member.team->size == 1) {
    // At the end of a region of one thread, LLVM's runtime forgets all settings of the region.
    t_thread.owed_size = ruled.threads_before;
    ruled.threads_before = 0;
  }
}

void put_sizes_back() {
  const support::ErrnoKept errno_kept;
  team::Team& team = *team::t_here.member->forked;
  if (!team.is_open) {
    put_back(team);
  }
}

}  // namespace nestbind::placement
