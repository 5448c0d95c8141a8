// SPDX-License-Identifier: BSD-3-Clause
// The schedule in force: what NESTBIND_SCHEDULE says, for all loops that can be taken.
#pragma once

#include <atomic>

#include "loops/loop_team.hpp"
#include "loops/schedule.hpp"
#include "process/once.hpp"

namespace nestbind::worksharing {

// A schedule that is or was in force. Made once, and stays: teams hold it. All that have been made
// are a tree of four branches, in which each pair of bits of a schedule's hash says the next one:
// nothing is ever moved in it, so nobody locks, and a program that tries thousands finds each fast.
struct InForce {
  loops::Settings settings;
  std::atomic<InForce*> branches[4] = {};
};

// Whether somebody wants loops to be shared. True until somebody has looked: a region in another
// library's constructor comes before ours.
extern std::atomic<bool> g_wanted;

// While it is false, a source tells nothing of forks, and hands loops on. One relaxed load.
inline bool is_wanted() { return g_wanted.load(std::memory_order_relaxed); }

extern constinit process::Once g_start;
void read_schedule();

// Reads the environment, and puts its schedule in force; a bad one gets its message, and none is
// then. Only the first call does anything; others wait until it has. A source calls it before it
// asks whether forks are followed at all.
inline void start() {
  g_start.run([] { read_schedule(); });
}

// What holds for the next region that is forked there; null: of a root that has set nothing.
struct Member;
const InForce* schedule_from(const Member* member);

// What holds for the calling thread's next region: its own, its team's, or that of the process.
// Null: loops are the runtime's.
const InForce* schedule_for_fork();

// The entry of a schedule, made where it is new; null without memory.
const InForce* entry_of(const loops::Schedule& schedule);

// Puts one in force for the process; null: loops are the runtime's. From the first other one on
// loops are wanted.
void put_in_force(const InForce* schedule);

// Says, once, of a schedule whose queues are for threads that are near each other, that nobody
// knows which ones are, where there is no specification.
void warn_of_queues(const loops::Schedule& schedule);

// For the report: the schedule that somebody has asked for last, wherever it holds; null: nobody
// has. And the process that has, whose children by fork have its memory.
const InForce* last_asked_for();
int process_of_schedule();

// What was measured of all loops.
const loops::Sites& sites();
// Gives back what was measured in a team that is no more, unless a report will want it. identity:
// as Sites::find has it.
void forget_sites(std::uint64_t identity);

// A kind of loop, as compilers hand it to their runtimes.
enum class LoopKind { kRuntime, kDynamic, kGuided };

// Whether loops of a kind are taken by a schedule.
constexpr bool takes(const loops::Schedule& schedule, LoopKind kind) {
  return schedule.kind != loops::Kind::kNative &&
         (kind == LoopKind::kRuntime || schedule.taken != loops::Taken::kRuntime);
}

// Whether the calling thread's next region takes them.
bool fork_takes(LoopKind kind);

// Who wants to know when loops begin to be taken, or end to be, in this process: hooks that jump
// straight on otherwise. Told on the thread that changes it, and at once where they are taken
// already. Stays.
struct Listener {
  void (*changed)(bool is_wanted) = nullptr;
  Listener* next = nullptr;  // written here
};
void add(Listener& listener);

}  // namespace nestbind::worksharing
