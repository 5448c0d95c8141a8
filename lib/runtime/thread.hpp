// SPDX-License-Identifier: BSD-3-Clause
// What nestbind remembers of a thread, and of the places that threads can have. Inside lib/runtime.
#pragma once

#include <atomic>

#include "planner/planner.hpp"
#include "runtime/fork.hpp"

namespace nestbind::runtime {

struct Team;
struct Plan;

// The position of one thread on one path. Places are made once, are never changed or freed, and are
// shared by all forks that lead to them; only their lists grow.
struct Place {
  const Place* master = nullptr;  // the place of the thread that forked its team; null: no team
  Plan* plan = nullptr;
  int number = 0;  // in its team
  int size = 1;    // of its team
  int level = 0;   // enclosing regions
  PlannedPlace planned{};
  const Place* original = nullptr;  // of a place under another specification, its first form
  mutable std::atomic<Team*> teams{nullptr};  // that a thread here has forked
  mutable std::atomic<Place*> changed{
      nullptr};                    // its present form, if the specification changed here
  mutable Place* forms = nullptr;  // all forms that it ever had, under the lock
  Place* next_form = nullptr;
  // For the report: the thread that was here first.
  mutable std::atomic<bool> reported{false};
  mutable int thread_id = 0;
  mutable char* processors = nullptr;
};

struct Team {
  Team* next = nullptr;
  int size = 0;
  Place* members = nullptr;
  mutable std::atomic<int> reported{0};
};

// A specification that is or was in force, with its plan, made at the first fork.
struct Plan {
  static constexpr int kNotMade = -1;
  Plan* next = nullptr;
  spec::Spec spec;
  Plan* base = nullptr;  // for a change inside a region: the plan above `level`
  int level = 0;
  // kNotMade until the planner was asked; then NESTBIND_OK, or why it could not be made.
  std::atomic<int> status{kNotMade};
  PlanHandle* handle = nullptr;  // once the status is NESTBIND_OK
  CpuMask everything{};          // all processors of its slots
  Place root;
};

// Of teams that are not planned: the place of their members, and what their root thread hands on.
extern const Place g_apart;
extern const Place g_apart_root;

// A thread's record: plain data, no destructor. Zero for a thread that nestbind has not met.
struct Thread {
  const Place* place;            // inside a region; null outside
  CpuMask bound;                 // what nestbind last bound it to
  const OmpCalls* omp;           // the runtime of its innermost region
  const OmpCalls* sized[4];      // runtimes that have the sizes of the specification in force
  const Plan* sized_for;         // that specification
  const Place* expected_parent;  // of a fork that is creating workers; null: none
  int expected_size;
  int expected_number;  // of the next worker that is created
  workers::Crew* crew;  // that the fork's workers come from; null: they are new threads
  int pool;             // threads of its outermost team, which the runtime keeps
  bool chose_size;      // it called omp_set_num_threads
  bool untracked;       // place was set in a region whose beginning was not seen
};
extern constinit thread_local Thread t_thread __attribute__((tls_model("initial-exec")));

// The mask of a worker that the calling thread creates for a fork; no bits: not known.
CpuMask worker_mask(int number);

// All processors of the machine that the recorder plans for; no bits before it is read.
CpuMask recorded_machine();

}  // namespace nestbind::runtime
