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

struct Sized {
  const omp::Calls* runtime;
  const placement::PlanInForce* plan;  // null if the sizes are out of date
  int threads;
  int levels;
  int threads_before;
  int levels_before;
};

struct Thread {
  mask::CpuMask bound;  // no bits if the thread is not bound
  // The slot of `bound` (placement/place.hpp). If the slot is not known, the value is bound.bits.
  // If the thread may have moved since the binding, the value is 0.
  std::uintptr_t slot_id;
  const omp::Calls* untracked_in;
  Sized sized[4];
  int pool;  // size of the thread's outermost team
  bool chose_size;
  // These fields belong to placement/owed_size.hpp.
  int owed_size;  // the size to set at the next fork, or 0
  bool was_paid;
  const placement::Place* chose_at;  // the thread's place at its last call of omp_set_num_threads
  std::uint64_t unmeant;             // hash of a mask (placement/purpose.hpp), or 0
  // For root threads that divide the machine (placement/root_parts.hpp).
  placement::Root* root;  // null if this is not a root thread
  mask::CpuMask own;      // a meant mask (placement/purpose.hpp), or empty
  unsigned division;      // the division of the thread's part, or 0
  int forks;              // size of the present fork, or 0
  int most;               // the smallest size that nestbind has reported, or 0
  struct {
    unsigned division;
    int told;
    int size;
  } answer;  // the last result of size_if_forked()
};
extern constinit thread_local Thread t_thread __attribute__((tls_model("initial-exec")));

}  // namespace nestbind::binding
