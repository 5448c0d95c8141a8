// SPDX-License-Identifier: BSD-3-Clause
// The record of one thread. Plain data without a destructor. It is all zero until nestbind first
// sees the thread. Only the thread itself reads and writes its record.
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

// The team sizes that nestbind has set in one runtime for a thread that owns the plan.
struct Sized {
  const omp::Calls* runtime;           // null: none
  const placement::PlanInForce* plan;  // the plan with these sizes; null: the sizes are out of date
  int threads;                         // the size that was set; 0: none was set
  int levels;
  int threads_before;  // before nestbind set the sizes
  int levels_before;
};

struct Thread {
  mask::CpuMask bound;  // the last bound mask; no bits: not bound; only this folder writes it
  // The slot that the mask belongs to (placement/place.hpp). If it is equal to bound.bits, the slot
  // is not known. 0: the thread may have moved after it was bound.
  std::uintptr_t slot_id;
  // The runtime of a region whose beginning was not seen, but in which the thread has a place;
  // null: there is none.
  const omp::Calls* untracked_in;
  Sized sized[4];
  int pool;         // threads of its outermost team, which the runtime keeps
  bool chose_size;  // the thread called omp_set_num_threads
  // Sizes for the thread's next team (placement/owed_size.hpp).
  int owed_size;                     // the size that its next fork must have; 0: none
  bool was_paid;                     // the present fork has that size
  const placement::Place* chose_at;  // its place at its last call of omp_set_num_threads
  // A hash of the last mask that was set without purpose (placement/purpose.hpp); 0: none.
  std::uint64_t unmeant;
  // For root threads that divide the machine (placement/root_parts.hpp).
  placement::Root* root;  // null: not a root thread
  mask::CpuMask own;      // a mask that was set on purpose; no bits: the process's mask
  unsigned division;      // the division in which it has a part; 0: no part, or out of date
  int forks;              // how many threads it is about to fork; 0: not known
  int most;               // the smallest size that we answered for its next team; 0: none
  struct {
    unsigned division;
    int told;  // the size that the runtime reported
    int size;
  } answer;  // the answer to its latest question for its next team's size
};
extern constinit thread_local Thread t_thread __attribute__((tls_model("initial-exec")));

}  // namespace nestbind::binding
