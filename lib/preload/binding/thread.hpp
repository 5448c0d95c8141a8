// SPDX-License-Identifier: BSD-3-Clause
// The record of one thread. Plain data, no destructor; all zero until nestbind has met the thread.
// Only the thread itself reads and writes its record.
#pragma once

#include <cstdint>

#include "mask/cpu_mask.hpp"

namespace nestbind::omp {
struct Calls;
}
namespace nestbind::placement {
struct Place;
struct PlanInForce;
struct Root;
}  // namespace nestbind::placement

namespace nestbind::binding {

// The sizes that nestbind has set for a thread, as an owner of the plan, in one runtime.
struct Sized {
  const omp::Calls* runtime;           // null: none
  const placement::PlanInForce* plan;  // with these sizes; null: the sizes are out of date
  int threads;                         // the size that was set; 0: none, the thread keeps its own
  int levels;
  int threads_before;  // before nestbind set the sizes
  int levels_before;
};

struct Thread {
  mask::CpuMask bound;  // written in this folder: the last bound mask; no bits: not bound
  // The slot that the mask belongs to (placement/place.hpp). bound.bits: the slot is not known. 0:
  // the thread may have been moved since.
  std::uintptr_t slot_id;
  // The runtime of a region around `place` whose beginning was not seen; null: there is none.
  const omp::Calls* untracked_in;
  Sized sized[4];
  int pool;         // threads of its outermost team, which the runtime keeps
  bool chose_size;  // the thread called omp_set_num_threads
  // Sizes for the thread's next team (placement/owed_size.hpp).
  int owed_size;                     // the size that its next fork is to have; 0: none
  bool was_paid;                     // the present fork has that size
  const placement::Place* chose_at;  // its place at its last call of omp_set_num_threads
  // A hash of the last mask that was set without purpose (placement/purpose.hpp); 0: none.
  std::uint64_t unmeant;
  // For root threads that divide the machine (placement/root_parts.hpp).
  placement::Root* root;  // null: not a root thread
  mask::CpuMask own;      // set on purpose; no bits: the process's mask
  unsigned division;      // the division with its part; 0: none, or look again
  int forks;              // how many threads it is about to fork; 0: not known
  int most;               // smallest answer about its next team; 0: none
  struct {
    unsigned division;
    int told;  // by the runtime
    int size;
  } answer;  // to its latest question for the next team's size
};
extern constinit thread_local Thread t_thread __attribute__((tls_model("initial-exec")));

}  // namespace nestbind::binding
