// SPDX-License-Identifier: BSD-3-Clause
// What the tool interface tells of forks for the loops of their teams.
//
// A fork is told where somebody wants loops to be shared, and where its thread is in a team that
// was told: otherwise the inner team would be taken for that one.
#pragma once

#include "instrument/ompt/ompt_abi.hpp"
#include "sharing/fork.hpp"
#include "sharing/schedule.hpp"
#include "sharing/team.hpp"

namespace nestbind::ompt {

// Where the calling thread has left a region for a league in it, as that of a target construct that
// runs on the host: it is nowhere until the league's end, which takes it back.
struct League {
  sharing::Member* around = nullptr;  // null: in none that is in a region
  int initial_tasks = 0;              // that have begun since, and not ended
};
inline constinit thread_local League t_league __attribute__((tls_model("initial-exec"))) = {};

inline bool is_in_team_of(const sharing::Member* member, const omp::Calls& calls) {
  return member != nullptr && member->team != nullptr &&
         member->team->runtime->get_num_threads == calls.get_num_threads;
}

// The calling thread runs no region of this runtime that is known: it begins or ends an initial
// task, as the first thread of each team of a league does, or begins a region that nobody has told
// of. What it was in there is over. A region of another runtime goes on: one of its members may
// well be the thread on which this runtime starts, or ends.
inline void be_outside_of_loops(const omp::Calls& calls) {
  const sharing::Member* const member = sharing::t_member;
  if (t_league.around == nullptr &&
      (member == nullptr || member->team == nullptr || is_in_team_of(member, calls))) {
    sharing::t_member = nullptr;
  }
}

// An initial task begins. The encountering thread's in a league has number 0, and is in the middle
// of what it was in. (Another thread may show as being where it was last.)
inline void begin_initial_task_for_loops(const omp::Calls& calls, int number) {
  if (number == 0 && t_league.around == nullptr && is_in_team_of(sharing::t_member, calls)) {
    t_league = {sharing::t_member, 1};
    sharing::be_nowhere();
    return;
  }
  if (number == 0 && is_in_team_of(t_league.around, calls)) {
    ++t_league.initial_tasks;
  }
  be_outside_of_loops(calls);
}

inline void end_initial_task_for_loops(const omp::Calls& calls, int number) {
  if (number != 0 || !is_in_team_of(t_league.around, calls)) {
    be_outside_of_loops(calls);
  } else if (--t_league.initial_tasks == 0) {
    sharing::t_member = t_league.around;
    t_league = {};
  }
}

inline void initial_task_for_loops(const omp::Calls& calls, int endpoint, int number) {
  if (endpoint == kScopeBegin) {
    begin_initial_task_for_loops(calls, number);
  } else {
    end_initial_task_for_loops(calls, number);
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
