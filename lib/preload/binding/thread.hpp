// SPDX-License-Identifier: BSD-3-Clause
// The record of one thread. The record has no destructor, and all its bytes are zero until nestbind
// first sees the thread. Only the thread itself writes its record.
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
  const omp::Calls* runtime;
  const placement::PlanInForce* plan;  // the plan with these sizes, or null if they are out of date
  int threads;
  int levels;
  int threads_before;
  int levels_before;
};

struct Thread {
  mask::CpuMask bound;  // no bits if the thread is not bound
  // The slot to which `bound` belongs (placement/place.hpp). The value is bound.bits if the slot is
  // not known, and 0 if the thread may have moved after it was bound.
  std::uintptr_t slot_id;
  // The runtime of a region whose beginning nestbind did not see, or null.
  const omp::Calls* untracked_in;
  Sized sized[4];
  int pool;  // size of the thread's outermost team, whose threads the runtime keeps
  bool chose_size;
  // For a size that is set only when the thread forks its next team (placement/owed_size.hpp).
  int owed_size;  // the size to set at the next fork, or 0
  bool was_paid;
  const placement::Place* chose_at;  // the thread's place at its last call of omp_set_num_threads
  // Hash of the last mask that was not set on purpose (placement/purpose.hpp), or 0.
  std::uint64_t unmeant;
  // For root threads that divide the machine (placement/root_parts.hpp).
  placement::Root* root;  // null if this is not a root thread
  mask::CpuMask own;      // a mask that was set on purpose; no bits mean the process's mask
  unsigned division;      // the division in which the thread has a part, or 0 if it has no part
  int forks;              // number of threads that it is about to fork, or 0 if not known
  int most;               // the smallest size that nestbind reported for its next team, or 0
  struct {
    unsigned division;
    int told;
    int size;
  } answer;  // nestbind's answer when the thread last asked for its next team's size
};
extern constinit thread_local Thread t_thread __attribute__((tls_model("initial-exec")));

}  // namespace nestbind::binding
