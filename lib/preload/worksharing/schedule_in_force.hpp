// SPDX-License-Identifier: BSD-3-Clause
// The schedule for all loops that we can share. NESTBIND_SCHEDULE gives the first schedule.
#pragma once

#include <atomic>
#include <cstddef>

#include "loops/loop_team.hpp"
#include "loops/schedule.hpp"
#include "process/once.hpp"

namespace nestbind::worksharing {

// Entries are never freed, because teams point to them. The entries form a tree: each entry has
// four branches, and the next two bits of the schedule's hash select the branch. Entries never
// move, so no lock is needed.
struct InForce {
  loops::Settings settings;
  std::atomic<InForce*> branches[4] = {};
};

// True if any schedule asks us to share loops. The first value is true, because another library's
// constructor may run a region before start().
extern std::atomic<bool> g_wanted;

// If the result is false, the runtime shares all loops.
inline bool is_wanted() { return g_wanted.load(std::memory_order_relaxed); }

extern constinit process::Once g_start;
void read_schedule();

// A source calls start() before it asks whether forks are followed.
inline void start() {
  g_start.run([] { read_schedule(); });
}

// Returns the schedule for a member's next region. `member` is null for a root thread that has no
// data yet.
struct Member;
const InForce* schedule_from(const Member* member);

// Returns the schedule for the calling thread's next region, or null if the runtime shares loops.
const InForce* schedule_for_fork();

// Returns the entry of a schedule, or null if there is no memory.
const InForce* entry_of(const loops::Schedule& schedule);

// If the schedule is null, the runtime shares loops. After the first schedule that is not null,
// g_wanted stays true.
void put_in_force(const InForce* schedule);

// Warns once if a schedule has a queue for each group of near threads, but there is no
// specification.
void warn_of_queues(const loops::Schedule& schedule);

// Returns the last schedule that the user has set for any region, or null. process_of_schedule()
// returns the process that set this schedule. In a forked child, both return the parent's values.
const InForce* last_asked_for();
int process_of_schedule();

const loops::Sites& sites();
// Frees an ended team's measurements, unless a report needs them.
void forget_sites(std::uint64_t identity);

// The kinds of loops for which compilers call the runtime.
enum class LoopKind { kRuntime, kDynamic, kGuided };

constexpr bool takes(const loops::Schedule& schedule, LoopKind kind) {
  return schedule.kind != loops::Kind::kNative &&
         (kind == LoopKind::kRuntime || schedule.taken != loops::Taken::kRuntime);
}

bool fork_takes(LoopKind kind);

// A listener is called when we begin or stop sharing loops in this process, on the thread that
// makes the change. While we share no loops, hooks only jump to the next function. If we already
// share loops, add() calls the listener at once. A listener is never removed.
struct Listener {
  void (*changed)(bool is_wanted) = nullptr;
  Listener* next = nullptr;
};
void add(Listener& listener);

// Changes the schedule of loops while the program runs.

// Like nestbind_set_schedule and nestbind_get_schedule of nestbind.h, but `text` has a length.
int set_schedule(const char* text, std::size_t length);
std::size_t get_schedule(char* buffer, std::size_t size);

// Notes that the calling task has called omp_set_schedule. Then the runtime shares the task's
// schedule(runtime) loops. For the present region, this holds after the next barrier, because all
// members must agree. For regions that the task forks, this holds at once.
void runtime_is_chosen();

bool was_runtime_chosen();

}  // namespace nestbind::worksharing
