// SPDX-License-Identifier: BSD-3-Clause
// What is kept of a team's loops, beside its place in the tree of teams (lib/preload/team).
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

// Whose the loop is that a thread is in.
enum class Whose : std::uint8_t {
  kRuntimes,  // or it is in none
  kOurs       // from its begin until its end is told
};

// What the next regions of a thread get. It ends with the region that the thread is in.
struct Forks {
  const InForce* schedule = nullptr;  // only where has_schedule; null: loops are the runtime's
  bool has_schedule = false;          // otherwise that of the region that the thread is in
  // By omp_set_schedule, which is of schedule(runtime) alone: those loops are the runtime's.
  bool runtime_is_chosen = false;
};

// Of a member of a team (team::Member::loops), or of a root. Only the thread that is there reads
// and writes it; others find `shared` by the team. Invariants:
//   team == nullptr     <=>  it is a root's, or nowhere
//   shared == nullptr   =>   all its loops are the runtime's, and whose == kRuntimes
struct alignas(64) Member {
  Shared* team = nullptr;           // that it is a member of
  loops::Member* shared = nullptr;  // its part in the team's loops
  Whose whose = Whose::kRuntimes;
  Numbers numbers;  // of the loop that it is in, if that is ours
  Forks forks;
  std::uint64_t barriers = 0;  // passed in this region, as far as they are told
};

// Of a team (team::Team::shared) in which somebody wants loops to be shared. Written before its
// members begin, but for `chosen_from`; they only read it. Invariants:
//   members has `size` of them, and members[i].shared is loops' member i
struct Shared {
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  int size = 0;
  loops::Team* loops = nullptr;
  Member* members = nullptr;
  const InForce* schedule = nullptr;    // of its present region; null: loops are the runtime's
  const omp::Calls* runtime = nullptr;  // likewise
  // Whose schedule(runtime) loops are the runtime's, from this number of barriers on, because a
  // member, or one of its tasks, has called omp_set_schedule; 0: all. So all members conclude the
  // same of a loop: a call before a barrier is seen by all after it.
  std::atomic<std::uint64_t> chosen_from{kNever};
  const placement::Planned* planned = nullptr;  // whose places the slots are
  loops::Place* places = nullptr;               // by member
  std::uint32_t version = 0;                    // of the slots
  // For free().
  void* loops_memory = nullptr;
  void* members_memory = nullptr;
};

// Where loops are never shared: in a league, and in teams of more threads than lib/preload/loops
// takes, or for which there is no memory. Never written.
extern Member g_nowhere;

// The calling thread's; null: not known, or nobody wants to know.
inline Member* own_member() {
  const team::Member* member = team::t_here.member;
  return member == nullptr ? nullptr : member->loops;
}

// Whether a team with a schedule has been forked.
bool has_forked();

}  // namespace nestbind::worksharing
