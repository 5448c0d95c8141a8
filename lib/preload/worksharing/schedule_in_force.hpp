// SPDX-License-Identifier: BSD-3-Clause
// The schedule in force: that of NESTBIND_SCHEDULE, for all loops that we can share.
#pragma once

#include <atomic>

#include "loops/loop_team.hpp"
#include "loops/schedule.hpp"
#include "process/once.hpp"

namespace nestbind::worksharing {

// A schedule that is or was in force. Entries are never freed, since teams point to them. They form
// a tree with four branches at each entry, chosen by the next two bits of the schedule's hash.
// Entries never move, so no lock is needed, and one of thousands is found fast.
struct InForce {
  loops::Settings settings;
  std::atomic<InForce*> branches[4] = {};
};

// Whether anybody wants loops to be shared. True until the start has looked: a region in another
// library's constructor may come before ours.
extern std::atomic<bool> g_wanted;

// If false, a source reports no forks, and the runtime shares all loops. One relaxed load.
inline bool is_wanted() { return g_wanted.load(std::memory_order_relaxed); }

extern constinit process::Once g_start;
void read_schedule();

// Puts the environment's schedule in force; a wrong one gets a message instead. Only the first call
// acts; other threads wait for it. A source calls this before it asks whether forks are followed.
inline void start() {
  g_start.run([] { read_schedule(); });
}

// The schedule for the next region that is forked there; null: a root that has set none.
struct Member;
const InForce* schedule_from(const Member* member);

// The next region's schedule: the thread's, team's or process's. Null: the runtime shares loops.
const InForce* schedule_for_fork();

// The entry of a schedule, made if it is new; null: there is no memory.
const InForce* entry_of(const loops::Schedule& schedule);

// Puts a schedule in force for the process; null: the runtime shares loops. After the first
// schedule that is not null, loops stay wanted.
void put_in_force(const InForce* schedule);

// Warns once about a schedule with a queue for each group of near threads, if there is no
// specification: then the near threads are not known.
void warn_of_queues(const loops::Schedule& schedule);

// For the report: the schedule that was last asked for, wherever it holds; null: none was. And the
// process that asked, since forked children have a copy of its memory.
const InForce* last_asked_for();
int process_of_schedule();

// The measurements of all loops.
const loops::Sites& sites();
// Frees an ended team's measurements, unless a report needs them. identity: as for Sites::find.
void forget_sites(std::uint64_t identity);

// The kinds of loops for which compilers call the runtime.
enum class LoopKind { kRuntime, kDynamic, kGuided };

// Whether a schedule applies to loops of a kind.
constexpr bool takes(const loops::Schedule& schedule, LoopKind kind) {
  return schedule.kind != loops::Kind::kNative &&
         (kind == LoopKind::kRuntime || schedule.taken != loops::Taken::kRuntime);
}

// Whether the schedule of the calling thread's next region applies to them.
bool fork_takes(LoopKind kind);

// Hears when we begin or stop sharing loops in this process: hooks otherwise only jump on. Called
// on the thread that makes the change, and at once if loops are shared already. Never removed.
struct Listener {
  void (*changed)(bool is_wanted) = nullptr;
  Listener* next = nullptr;  // written by add()
};
void add(Listener& listener);

}  // namespace nestbind::worksharing
