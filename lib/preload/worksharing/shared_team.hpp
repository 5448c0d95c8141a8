// SPDX-License-Identifier: BSD-3-Clause
// Data about a team's loops.
#pragma once

#include <atomic>
#include <cstdint>

#include "loops/grouping.hpp"
#include "loops/loop_team.hpp"
#include "omp/calls.hpp"
#include "team/team.hpp"
#include "worksharing/range.hpp"
#include "worksharing/schedule_in_force.hpp"

namespace nestbind::worksharing {

struct Shared;

enum class Whose : std::uint8_t {
  kRuntimes,  // the runtime shares the loop, or there is no loop
  kOurs
};

// A thread makes these settings for the regions that it forks next. The settings are valid until
// the present region ends.
struct Forks {
  const InForce* schedule = nullptr;  // null if the runtime shares loops
  bool has_schedule = false;          // the thread has set `schedule`
  // The program has called omp_set_schedule, so the runtime shares schedule(runtime) loops.
  bool runtime_is_chosen = false;
};

// The data of a member of a team (team::Member::loops), or of a root. Only the member's own thread
// reads and writes this data. `team` and `shared` are null for roots and for g_nowhere. The runtime
// shares all loops of these members.
struct alignas(64) Member {
  Shared* team = nullptr;
  loops::Member* shared = nullptr;
  Whose whose = Whose::kRuntimes;
  Numbers numbers;  // used only if `whose` is kOurs
  Forks forks;
  std::uint64_t computed_from = 0;  // computed_so_far() at the begin of this loop; 0: not counted
  std::uint64_t barriers = 0;       // reported barriers that the member has passed in this region
};

// The data of a team whose loops are to be shared (team::Team::shared). The data is written before
// the team's members begin. The members write only `chosen_from`.
struct Shared {
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  int size = 0;
  loops::Team* loops = nullptr;
  Member* members = nullptr;
  const InForce* schedule = nullptr;  // null if the runtime shares loops
  const omp::Calls* runtime = nullptr;
  // After this number of barriers, the runtime shares the team's schedule(runtime) loops. The
  // reason is a call of omp_set_schedule by a member or one of its tasks. All members see such a
  // call after the next barrier, so they agree about a loop. 0: the forking thread had called
  // omp_set_schedule before the fork, so the runtime shares all these loops of the region.
  std::atomic<std::uint64_t> chosen_from{kNever};
  std::uint64_t places_of = 0;  // id of the first member's place that `places` is from, or 0
  loops::Place* places = nullptr;
  std::uint32_t version = 0;
  void* loops_memory = nullptr;
  void* members_memory = nullptr;
};

// Members use this object if their loops are never shared, for example in a league or in a very
// large team. Nothing writes to this object.
extern Member g_nowhere;

inline Member* own_member() {
  const team::Member* member = team::t_here.member;
  return member == nullptr ? nullptr : member->loops;
}

bool has_forked();

// The places of a team's members, which decide from whom a member steals first.

// Returns the places of a team, or empty tables if the places are not known. Changes
// Shared::version if the places have changed.
loops::Places find_places(Shared& shared, const team::Team& team);
inline loops::Places places_of(Shared& shared, const team::Team& team) {
  const bool is_unknown = team.planned == nullptr && shared.places_of == 0 && shared.version != 0;
  return is_unknown ? loops::Places{} : find_places(shared, team);
}

bool has_places();

}  // namespace nestbind::worksharing
