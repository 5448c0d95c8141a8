// SPDX-License-Identifier: BSD-3-Clause
// The schedule in force for all loops that we can share, at first from NESTBIND_SCHEDULE.
#pragma once

#include <atomic>

#include "loops/loop_team.hpp"
#include "loops/schedule.hpp"
#include "process/once.hpp"

namespace nestbind::worksharing {

// A schedule that is or was in force. Entries are never freed, because teams point to them. The
// entries form a tree: each entry has four branches, and the next two bits of the schedule's hash
// select the branch. Entries never move, so no lock is needed. The search is fast.
struct InForce {
  loops::Settings settings;
  std::atomic<InForce*> branches[4] = {};
};

// Whether any schedule asks us to share loops. Until start() has run, this is true, because a
// region in another library's constructor may come before our constructors.
extern std::atomic<bool> g_wanted;

// If this is false, a source reports no forks, and the runtime shares all loops.
inline bool is_wanted() { return g_wanted.load(std::memory_order_relaxed); }

extern constinit process::Once g_start;
void read_schedule();

// Puts the environment's schedule in force, or prints a message if the schedule is wrong. Only the
// first call reads the schedule. Other threads wait for it. A source calls start() before it asks
// whether forks are followed.
inline void start() {
  g_start.run([] { read_schedule(); });
}

// Returns the schedule for a member's next region. A null `member` is a root that has set none.
struct Member;
const InForce* schedule_from(const Member* member);

// Returns the schedule for the calling thread's next region, or null if the runtime shares loops.
const InForce* schedule_for_fork();

// Returns the entry of a schedule, or null if there is no memory. A new schedule gets a new entry.
const InForce* entry_of(const loops::Schedule& schedule);

// Puts a schedule in force for the process. If the schedule is null, the runtime shares loops.
// After the first schedule that is not null, g_wanted stays true.
void put_in_force(const InForce* schedule);

// Warns once if a schedule has a queue for each group of near threads, but there is no
// specification. Without a specification the near threads are not known.
void warn_of_queues(const loops::Schedule& schedule);

// Returns the last schedule that the user has set for any region, or null. process_of_schedule()
// returns the process that set this schedule. In a forked child, both return the parent's values.
const InForce* last_asked_for();
int process_of_schedule();

// The measurements of all loops.
const loops::Sites& sites();
// Frees an ended team's measurements, unless a report needs them. `identity` is the number of the
// team in Sites::find.
void forget_sites(std::uint64_t identity);

// The kinds of loops for which compilers call the runtime.
enum class LoopKind { kRuntime, kDynamic, kGuided };

constexpr bool takes(const loops::Schedule& schedule, LoopKind kind) {
  return schedule.kind != loops::Kind::kNative &&
         (kind == LoopKind::kRuntime || schedule.taken != loops::Taken::kRuntime);
}

// Whether the schedule of the calling thread's next region applies to loops of this kind.
bool fork_takes(LoopKind kind);

// A listener is called when we begin or stop sharing loops in this process, on the thread that
// makes the change. While we share no loops, hooks only jump to the next function. If we already
// share loops, add() calls the listener at once. A listener is never removed.
struct Listener {
  void (*changed)(bool is_wanted) = nullptr;
  Listener* next = nullptr;  // written by add()
};
void add(Listener& listener);

}  // namespace nestbind::worksharing
