// SPDX-License-Identifier: BSD-3-Clause
// An observer is a struct of functions, one for each kind of event.
#pragma once

#include <atomic>

#include "planner/planner.hpp"

namespace nestbind::observe {

struct Fork {
  int level;
  const void* code;  // the region's address; null: not known
};

struct Member {
  int level;
  int number;
  int size;
  int thread_id;                 // the kernel's number of the first thread in this place
  const mask::MaskBuffer* mask;  // the thread's mask in the kernel; null: not known
  const PlannedPlace* planned;
  bool is_bound;  // false: the team has one thread, which was never in a larger team
};

// A thread has a new place, or a new path to the same slot. The paths 1 and 1.0 are the same place.
struct SlotTaken {
  static constexpr int kMostPath = 8;
  const spec::Spec* spec;
  const PlannedPlace* planned;  // null: the thread has no place, and the other members are not set
  int level;
  int path[kMostPath];  // outermost first; deeper levels are left out
  bool is_bound;        // false: the kernel has refused to bind the thread
  int root = -1;        // the root thread's number if several divide the machine, or -1
};

struct PlacedTeam {
  const spec::Spec* spec;
  int level;
  const int* primary;  // path of the primary thread: level - 1 numbers, outermost first
  int size;
  const Member* members;
  const int* sizes = nullptr;  // sizes of the teams on this path, or null
  const PlannerApi* planner = nullptr;
  PlanHandle* plan = nullptr;
  int root = -1;
};

// As many levels are active as the runtime allows, so it has made a team of one for an inner region
// that asked for more threads.
struct Refused {
  int level;  // of the region
  int asked;
  int allowed;  // the most active levels
};

// Each function may be null. A function is called on the thread of its event.
struct Observer {
  void (*armed)() = nullptr;  // called when something is specified for the first time
  void (*forked)(const Fork& fork) = nullptr;
  void (*team_placed)(const PlacedTeam& team) =
      nullptr;  // once for each distinct team of a process, on its last member
  void (*member_left)(const Member& member) = nullptr;
  void (*in_child)() = nullptr;
  void (*slot_taken)(const SlotTaken& slot_taken) = nullptr;  // not for unchanged places
  void (*refused)(const Refused& refused) = nullptr;          // once in a process
  Observer* next = nullptr;
};

// If something is already specified, calls `observer.armed` at once. Call this function only at the
// start of the process, because it is not thread-safe. Placement looks once whether somebody
// listens (place_forks()), so the first observer that does must be added before.
void add(Observer& observer);

// Implements NESTBIND_REPORT (own_observers.cpp): reports each thread's mask in the kernel.
extern Observer g_report;

// Implements NESTBIND_TRACE from now on, if the variable is set.
void begin_trace();

// True if some observer has one of the functions `forked`, `team_placed` and `member_left`. Only
// add() writes this flag. A thread that reads an old value calls no observer.
extern bool g_listening __attribute__((visibility("hidden")));
inline bool somebody_listens() { return g_listening; }

void tell_armed();
void tell_forked(const Fork& fork);
void tell_team_placed(const PlacedTeam& team);
void tell_member_left(const Member& member);
void tell_in_child();

// An outermost team of `size` threads was larger than its part, which has `most` hardware threads.
// Its threads run unbound. Cheap, because each such fork calls it. The largest team is remembered.
void tell_not_squeezed(int size, int most);
struct NotSqueezed {
  std::atomic<int> size{0};
  std::atomic<int> most{0};
};
extern NotSqueezed g_not_squeezed __attribute__((visibility("hidden")));

void tell_slot_taken(const SlotTaken& slot_taken);
void tell_refused(const Refused& refused);

}  // namespace nestbind::observe
