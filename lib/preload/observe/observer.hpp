// SPDX-License-Identifier: BSD-3-Clause
// Who wants to know of placements: a row of functions for each. Where nobody listens, a fork pays
// one branch.
#pragma once

#include "planner/planner.hpp"

namespace nestbind::observe {

struct Fork {
  int level;         // of the team
  const void* code;  // where the region is; null: not known
};

struct Member {
  int level;
  int number;
  int size;
  int thread_id;                 // the kernel's, of the thread that was there first
  const mask::MaskBuffer* mask;  // where it may run, as the kernel tells; null: not known
  const PlannedPlace* planned;
  bool is_bound;  // false: in a team of one, by a thread that has not been in a larger one
};

// A thread has another place than before, or another path to the same slot. What it becomes as the
// primary thread of its own team is no other: 1 is 1.0.
struct SlotTaken {
  static constexpr int kMostPath = 8;
  const spec::Spec* spec;
  const PlannedPlace* planned;  // null: it has none any more; nothing else is told then
  int level;
  int path[kMostPath];  // outermost first; deeper ones are left out
  bool is_bound;        // false: the system has refused
  int root = -1;        // which root thread, where several divide the machine; -1: they do not
};

struct PlacedTeam {
  const spec::Spec* spec;
  int level;
  const int*
      primary;  // the numbers on the path to the primary thread, outermost first: level - 1 of them
  int size;
  const Member* members;
  const int* sizes = nullptr;           // of the teams that those are in; null: not known
  const PlannerApi* planner = nullptr;  // which draws the machine of a plan; null: nobody does
  PlanHandle* plan = nullptr;           // that has the whole machine
  int root = -1;                        // as in SlotTaken
};

// Each may be null. All are called on the thread that they concern.
struct Observer {
  void (*armed)() = nullptr;  // something is specified for the first time
  void (*forked)(const Fork& fork) = nullptr;
  void (*team_placed)(const PlacedTeam& team) =
      nullptr;  // once for each distinct team of a process, by its last member
  void (*member_left)(const Member& member) = nullptr;
  void (*in_child)() = nullptr;  // in a forked child: what was told before was its parent
  void (*slot_taken)(const SlotTaken& slot_taken) = nullptr;  // costs nothing where threads stay
  Observer* next = nullptr;                                   // written here
};

// An observer stays, once. One that comes after `armed` has been told is told at once. For
// start-up, not thread-safe.
void add(Observer& observer);

// NESTBIND_REPORT (report.cpp): who runs where, as the kernel tells. Each distinct team once; all
// that are new, outer ones before their inner ones, when the outermost region ends, at a fork once
// none has come for a second, and at the end of the process.
extern Observer g_report;

// Writes forks, placed teams and members that leave into the trace (trace.cpp, process/traced.hpp).
extern Observer g_trace;

// Whether somebody wants to know of more than `armed` and `slot_taken`. Written by add alone; a
// thread that sees it late tells nobody of what it does meanwhile.
extern bool g_listening __attribute__((visibility("hidden")));
inline bool somebody_listens() { return g_listening; }

// Written by lib/preload/placement.
void tell_armed();
void tell_forked(const Fork& fork);
void tell_team_placed(const PlacedTeam& team);
void tell_member_left(const Member& member);
void tell_in_child();
void tell_slot_taken(const SlotTaken& slot_taken);

}  // namespace nestbind::observe
