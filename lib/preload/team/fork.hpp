// SPDX-License-Identifier: BSD-3-Clause
// The functions by which a source reports forks. (Sources are the code that sees forks.)
//
// encountering thread   team = fork_begin(runtime, code, asked)
// each member           member_begin(team, number, size)
//                       ... the region ...
//                       member_end(team, number)
//
// The source carries `team` from the encountering thread to the members. The encountering thread
// must report its end, after the region's last barrier. Other members must report their end only if
// they may run the program's code outside of all regions before their next member_begin. A repeated
// fork allocates nothing, takes no lock and makes no system call.
//
// If is_followed(), a source must report each fork that it sees. Otherwise a member of an
// unreported team would be taken for a member of the team around it.
#pragma once

#include <atomic>

#include "omp/calls.hpp"
#include "team/team.hpp"

namespace nestbind::team {

// Whether any consumer follows forks. True until all_have_looked() is called.
extern std::atomic<bool> g_followed;
inline bool is_followed() { return g_followed.load(std::memory_order_relaxed); }

// Reports a fork. Called on the encountering thread, before the team is decided. Returns null if
// there is no memory. Then members must not report anything.
//
// code: the region's outlined function, an address after the call, or a description. Null if the
// source knows none of these. asked: the number of threads that the runtime is asked for. 0 if not
// known or without a clause. If a rule sets another size, Team::sized has it.
Team* fork_begin(const omp::Calls& runtime, const void* code, unsigned asked);

// Reports that a member begins. Called on each member, also on the encountering thread, before the
// region's code. size: the real team's size.
void member_begin(Team* team, int number, int size);

// Reports that a member ends, after the region's code. Member 0 calls this after the team's last
// barrier, because threads run explicit tasks until this barrier. Then the encountering thread is
// again the member that forked the team. Other members may report their end late.
void member_end(Team* team, int number);

// Returns the team of a member that begins or ends, found by its ancestors' numbers, or null. Used
// by sources that cannot carry the team from the fork to its members (OPARI 1).
Team* team_by_path(const omp::Calls& runtime);
inline Team* own_team() { return t_here.member == nullptr ? nullptr : t_here.member->told; }

// Ends reported regions of a thread that are deeper than the runtime's level. Sources that do not
// report the end of a cancelled region call this function on a thread that is about to fork.
void end_untold(const omp::Calls& runtime);

// Whether a source with other calls has reported the calling thread's latest member_begin. Used by
// sources that do nothing if another source reports.
bool told_by_other(const omp::Calls& runtime);

// Reports a league of teams, on the thread that encounters the league.
void league_begin(const omp::Calls& runtime);

// Report that an initial task of a league begins or ends on the calling thread, as the tool
// interface does. Task 0 runs on the encountering thread. If this thread is in a region, the task's
// teams are below this region, apart from the region's other teams. When the league's last task 0
// ends, the thread is again a member of the region. Other initial tasks are outside of regions.
void initial_task_begin(const omp::Calls& runtime, int number);
void initial_task_end(const omp::Calls& runtime, int number);

// Reports that the calling thread begins in an unreported region, its only region of this runtime.
void member_of_unknown(const omp::Calls& runtime);

// Reports that the calling thread, which the runtime has created, leaves the runtime now. The
// program's destructors may still run on the thread.
void thread_ends();

}  // namespace nestbind::team
