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
struct Root;
struct Told;
}  // namespace nestbind::placement

namespace nestbind::binding {

// What a root thread has been told about the sizes of its teams, in one runtime (sizes/told_sizes).
struct Sized {
  const omp::Calls* runtime;
  const placement::Told* told;  // null if nothing
  // The sizes that nestbind has set, and the earlier ones. 0 if nestbind has set nothing.
  int threads;
  int levels;
  int threads_before;
  int levels_before;
};

// One of `of` parts of `machine`. `of` is 0 if the part is not known.
struct Share {
  const unsigned long* machine = nullptr;  // a mask that stays valid
  int index = 0;
  int of = 0;
  bool is_own = false;  // the machine is a mask that the root thread has set for itself
  bool operator==(const Share&) const = default;
};

struct Thread {
  mask::CpuMask bound;  // no bits if the thread is not bound
  // The slot of `bound` (places/place.hpp). If the slot is not known, the value is bound.bits. If
  // the thread may have moved since the binding, the value is 0.
  std::uintptr_t slot_id;
  const omp::Calls* untracked_in;
  Sized sized[4];
  int pool;           // size of the thread's outermost team
  unsigned asked_in;  // the division in which it last asked for the size of its next team
  unsigned chose_in;  // the specification (Told::serial) in which it has chosen a size, or 0
  // These fields belong to sizes/fork_sizes.hpp.
  int owed_size;  // the size to set at the next fork, or 0
  bool was_paid;
  const placement::Place* chose_at;  // the thread's place at its last call of omp_set_num_threads
  std::uint64_t unmeant;             // hash of a mask (owner/purpose.hpp), or 0
  // The mask that a root thread has set for itself. Its workers have the same value. Empty in
  // threads that have the process's mask.
  mask::CpuMask own;
  // For root threads (owner/roots.hpp). The part is right as long as `division` is the present
  // division (places/plans.hpp) and no look is due.
  placement::Root* root;  // null if this is not a root thread that divides the machine
  unsigned division;      // the division of the thread's part, or 0
  bool is_root;           // it owns the plan, or divides the machine
  bool has_whole;         // its part is all that the process may use
  Share share;            // its part
  int part_number;
  const placement::Place* root_place;  // where its teams fork by the plan in force, or null
  // root_place if a fork needs no other look before `next_look` than at the division, the runtime
  // and the sizes; otherwise null.
  const placement::Place* quick_place;
  // When masks and cpusets are read again (owner/purpose.hpp).
  std::uint64_t next_look;  // support::ticks()
  long last_look;           // milliseconds
};
extern constinit thread_local Thread t_thread __attribute__((tls_model("initial-exec")));

}  // namespace nestbind::binding
