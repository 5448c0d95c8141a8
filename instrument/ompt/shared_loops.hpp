// SPDX-License-Identifier: BSD-3-Clause
// What the tool interface tells of forks for the loops of their teams.
//
// A fork is told where somebody wants loops to be shared, and where its thread is in a team that
// was told: otherwise the inner team would be taken for that one.
#pragma once

#include "sharing/fork.hpp"
#include "sharing/schedule.hpp"
#include "sharing/team.hpp"

namespace nestbind::ompt {

// The calling thread runs no region of this runtime that is known: it begins or ends an initial
// task, as the first thread of each team of a league does, or begins a region that nobody has told
// of. What it was in there is over. A region of another runtime goes on: one of its members may
// well be the thread on which this runtime starts, or ends.
inline void be_outside_of_loops(const omp::Calls& calls) {
  const sharing::Member* const member = sharing::t_member;
  if (member != nullptr && (member->team == nullptr ||
                            member->team->runtime->get_num_threads == calls.get_num_threads)) {
    sharing::t_member = nullptr;
  }
}

// On the encountering thread. size: as the runtime tells before the fork; 0: not known. Null where
// nobody wants to know.
inline sharing::Team* fork_for_loops(const omp::Calls& calls, const placement::Place* place,
                                     unsigned size) {
  if (!sharing::is_wanted() && sharing::t_member == nullptr) {
    return nullptr;
  }
  return sharing::fork_begin(calls, place,
                             size > 0 ? static_cast<int>(size) : calls.get_max_threads());
}

// On each member. team: of its fork; null: none was told.
inline void begin_member_for_loops(const omp::Calls& calls, sharing::Team* team, int number,
                                   int size) {
  if (team != nullptr) {
    sharing::member_begin(team, number, size);
  } else {
    be_outside_of_loops(calls);
  }
}

// Only the end of the encountering thread counts: the others tell theirs late, when they are woken
// for their next region.
inline void end_member_for_loops(sharing::Team* team, int number) {
  if (team != nullptr && number == 0) {
    sharing::member_end(team, 0);
  }
}

}  // namespace nestbind::ompt
