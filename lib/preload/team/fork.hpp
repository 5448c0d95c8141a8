// SPDX-License-Identifier: BSD-3-Clause
// The functions by which a source reports forks.
//
// encountering thread   team = fork_begin(runtime, code, asked)
// each member           member_begin(team, number, size)
//                       ... the region ...
//                       member_end(team, number)
//
// Member 0 must call member_end after the region's last barrier. Other members may omit this call
// if they only wait for the next region. A repeated fork allocates nothing, takes no lock and makes
// no system call.
//
// If is_followed() is true, a source must report each fork that it sees. nestbind treats members of
// an unreported team as members of the team around it.
#pragma once

#include <atomic>

#include "omp/calls.hpp"
#include "team/team.hpp"

namespace nestbind::team {

// True if a consumer follows forks. Also true before all_have_looked() is called.
extern std::atomic<bool> g_followed;
inline bool is_followed() { return g_followed.load(std::memory_order_relaxed); }

// Called on the encountering thread, before the team is decided. Returns null if there is no
// memory. Then members must not report anything.
//
// `code` is the region's outlined function, an address after the call, a description, or null.
// `asked` is the number of threads that the runtime is asked for. If the number is not known, or if
// there is no clause, `asked` is 0. If a rule sets another size, Team::sized has it.
Team* fork_begin(const omp::Calls& runtime, const void* code, unsigned asked);

// Called on each member, also on the encountering thread, before the region's code. `size` is the
// real team's size.
void member_begin(Team* team, int number, int size);

// Member 0 calls this after the team's last barrier, because threads run explicit tasks until this
// barrier. Other members may report their end late.
void member_end(Team* team, int number);

// Finds the calling member's team by the numbers of its ancestors. Call this when the member begins
// or ends. May return null.
Team* team_by_path(const omp::Calls& runtime);
inline Team* own_team() { return t_here.member == nullptr ? nullptr : t_here.member->told; }

// Calls member_end for each of the thread's regions that have ended without a report.
void end_untold(const omp::Calls& runtime);

// True if another source has reported the calling thread's latest region.
bool told_by_other(const omp::Calls& runtime);

// Reports a league of teams, on the thread that encounters the league.
void league_begin(const omp::Calls& runtime);

// Called on a thread that begins or ends an initial task of a league. Task 0 runs on the
// encountering thread. If this thread is in a region, the teams of task 0 are inner teams of this
// region. nestbind keeps these teams apart from the region's other teams. Other initial tasks are
// outside of regions.
void initial_task_begin(const omp::Calls& runtime, int number);
void initial_task_end(const omp::Calls& runtime, int number);

// The calling thread joins a team that fork_begin did not report. The thread must be in no other
// region of this runtime.
void member_of_unknown(const omp::Calls& runtime);

// Called on a thread that the runtime has created, when the thread leaves the runtime.
void thread_ends();

}  // namespace nestbind::team
