// SPDX-License-Identifier: BSD-3-Clause
// What nestbind remembers of one thread. Plain data, no destructor; zero for a thread that it has
// not met. Only the thread itself reads and writes its record.
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

// The sizes that a thread has been given, as an owner of the plan, in one runtime.
struct Sized {
  const omp::Calls* runtime;           // null: none
  const placement::PlanInForce* plan;  // whose they are; null: they are out of date
  int threads;                         // what was set; 0: nothing, the thread's own stays
  int levels;
  int threads_before;  // what it had
  int levels_before;
};

struct Thread {
  mask::CpuMask bound;  // written here: what it was last bound to; no bits: nothing
  // Whose slot it has (placement/place.hpp); bound.bits where that is not known, 0 where it may
  // have been moved since.
  std::uintptr_t slot_id;
  // The runtime of the region, around place, whose beginning was not seen; null: none.
  const omp::Calls* untracked_in;
  Sized sized[4];
  int pool;         // threads of its outermost team, which the runtime keeps
  bool chose_size;  // it called omp_set_num_threads
  // Of sizes for its next team (placement/owed_size.hpp).
  int owed_size;                     // what it is to get when it forks; 0: nothing
  bool was_paid;                     // it has got that at the fork that is under way
  const placement::Place* chose_at;  // where it was when it last called omp_set_num_threads
  // The mask that it was last given to no purpose (placement/purpose.hpp), as its sign; 0: none.
  std::uint64_t unmeant;
  // Where root threads divide the machine (placement/root_parts.hpp).
  placement::Root* root;  // null: it is none
  mask::CpuMask own;      // that somebody has given it on purpose; no bits: the process's
  unsigned division;      // in which it took its part; 0: in none, or it has to look once more
  int forks;              // how many threads it is about to fork; 0: not known
  int most;               // the smallest size that it was ever told of its next team; 0: none was
  struct {
    unsigned division;
    int told;  // by the runtime
    int size;
  } answer;  // to its latest question for that size
};
extern constinit thread_local Thread t_thread __attribute__((tls_model("initial-exec")));

}  // namespace nestbind::binding
