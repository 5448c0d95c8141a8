// SPDX-License-Identifier: BSD-3-Clause
// What a source tells of forks. The only door.
//
//   encountering thread   team = fork_begin(runtime, code, asked)
//   each member           member_begin(team, number, size)
//                         ... the region ...
//                         member_end(team, number)
//
// The source carries `team` from the encountering thread to the members. The encountering thread
// has to report its end, after the region's last barrier; of the other members only those that may
// run code of the program, outside of all regions, before their next member_begin. A fork that has
// been before allocates nothing, takes no lock and makes no system call.
//
// To be called where is_followed(), and then for each fork that the source hears of: a team that
// nobody told of would be taken for the one around it.
#pragma once

#include <atomic>

#include "omp/calls.hpp"
#include "team/team.hpp"

namespace nestbind::team {

// Whether somebody wants to know of forks. True until somebody has looked (start).
extern std::atomic<bool> g_followed;
inline bool is_followed() { return g_followed.load(std::memory_order_relaxed); }

// On the encountering thread, before the runtime decides on the team. Null without memory: then the
// members are told nothing.
//
// code: where the region is, as the source knows it: its outlined function, an address after the
// call, a description; null: not known. asked: how many threads the runtime is about to decide on;
// 0: not known, or no clause. Where a rule gives the region another size, that is in Team::sized.
Team* fork_begin(const omp::Calls& runtime, const void* code, unsigned asked);

// On each member, the encountering thread too, before the region's code. size: of the real team.
void member_begin(Team* team, int number, int size);

// On a member, after the region's code; on member 0 after the team's last barrier, where threads
// still run explicit tasks. That of member 0 takes the encountering thread back to where it forked.
// Others may tell theirs late.
void member_end(Team* team, int number);

// For sources that carry nothing from the fork to its members (OPARI 1). On a member that begins,
// its team, by the numbers of its ancestors; and on one that ends. Null where it is not known.
Team* team_by_path(const omp::Calls& runtime);
inline Team* own_team() { return t_here.member == nullptr ? nullptr : t_here.member->told; }

// For the same: the calling thread is about to fork, and regions in which it is still, by what was
// told, are over if the runtime is not that deep: nobody tells the end of one that was cancelled.
void end_untold(const omp::Calls& runtime);

// Whether the calling thread's latest member_begin was told by another source than the one with
// these calls. For sources that stand back where another acts.
bool told_by_other(const omp::Calls& runtime);

// On a thread that encounters a league of teams.
void league_begin(const omp::Calls& runtime);

// Leagues, as the tool interface tells of them. An initial task begins and ends on the calling
// thread. Number 0 is the encountering thread's; in the middle of a region it goes on from there,
// in teams of their own, until the league's last such task has ended. Others are outside.
void initial_task_begin(const omp::Calls& runtime, int number);
void initial_task_end(const omp::Calls& runtime, int number);

// The calling thread begins in a region that nobody told of: what it was in, in this runtime, is
// over.
void member_of_unknown(const omp::Calls& runtime);

// The runtime has left the calling thread, which it had created. Destructors of the program's may
// still run.
void thread_ends();

}  // namespace nestbind::team
