// SPDX-License-Identifier: BSD-3-Clause
// Data about a team's loops.
#pragma once

#include <atomic>
#include <cstdint>

#include "loops/loop_team.hpp"
#include "omp/calls.hpp"
#include "team/team.hpp"
#include "worksharing/range.hpp"
#include "worksharing/schedule_in_force.hpp"

namespace nestbind::worksharing {

struct Shared;

enum class Whose : std::uint8_t {
  kRuntimes,  // the runtime, or the thread is in no loop
  kOurs       // we, from the loop's begin to its reported end
};

// The settings for a thread's next regions end with the thread's present region.
struct Forks {
  const InForce* schedule = nullptr;  // if has_schedule; null: the runtime shares loops
  bool has_schedule = false;          // false: the present region's schedule counts
  // The program has called omp_set_schedule, so the runtime shares schedule(runtime) loops.
  bool runtime_is_chosen = false;
};

// The data of a member of a team (team::Member::loops), or of a root. Only its own thread reads and
// writes this data. Other threads find `shared` through the team. `team` is null exactly for roots
// and for g_nowhere. If `shared` is null, the runtime shares all loops of the member, and `whose`
// is kRuntimes.
struct alignas(64) Member {
  Shared* team = nullptr;
  loops::Member* shared = nullptr;
  Whose whose = Whose::kRuntimes;
  Numbers numbers;  // of the member's present loop, if we share this loop
  Forks forks;
  std::uint64_t barriers = 0;  // reported barriers that the member has passed in this region
};

// The data of a team (team::Team::shared) whose loops are to be shared. It is written before the
// team's members begin. The members only read this data, but also write `chosen_from`. Invariants:
//   there are `size` members, and members[i].shared is member i of `loops`
struct Shared {
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  int size = 0;
  loops::Team* loops = nullptr;
  Member* members = nullptr;
  const InForce* schedule = nullptr;  // of the present region; null: the runtime shares loops
  const omp::Calls* runtime = nullptr;
  // After this number of barriers, the runtime shares the team's schedule(runtime) loops. The
  // reason is a call of omp_set_schedule by a member or one of its tasks. All members see such a
  // call after the next barrier, so they agree about a loop.
  std::atomic<std::uint64_t> chosen_from{kNever};
  const placement::Planned* planned = nullptr;  // the plan that `places` is from
  loops::Place* places = nullptr;
  std::uint32_t version = 0;
  void* loops_memory = nullptr;
  void* members_memory = nullptr;
};

// The data of all members whose loops are never shared. Such members are in a league, their team is
// too large for lib/preload/loops, or there is no memory for their data. Never written.
extern Member g_nowhere;

// Returns the calling thread's member, or null if it is not known or no loops are to be shared.
inline Member* own_member() {
  const team::Member* member = team::t_here.member;
  return member == nullptr ? nullptr : member->loops;
}

bool has_forked();

}  // namespace nestbind::worksharing
