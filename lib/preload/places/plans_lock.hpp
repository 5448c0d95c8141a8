// SPDX-License-Identifier: BSD-3-Clause
// The lock of all plans and places. Only the thread that has the lock may change plans and places.
// fork() takes the lock, too, so that the child finds complete plans and places.
#pragma once

#include <atomic>

#include "process/undisturbed.hpp"
#include "support/errno_kept.hpp"

namespace nestbind::placement {

// While it has the lock, the thread is not cancelled, and signals are blocked, except those of
// faults (process/undisturbed.hpp). If a SIGSEGV handler interrupts the holder, the handler does
// not get the lock.
class PlansLocked {
 public:
  PlansLocked();
  ~PlansLocked();
  PlansLocked(const PlansLocked&) = delete;
  PlansLocked& operator=(const PlansLocked&) = delete;

  explicit operator bool() const { return is_ours_; }

 private:
  support::ErrnoKept errno_kept_;
  process::Undisturbed undisturbed_;
  bool is_ours_;
};

// Lists of plans and places only grow, so that threads read them without the lock.
template <auto kNext, typename One, typename IsIt>
One* find_in(const std::atomic<One*>& list, IsIt is_it) {
  One* one = list.load(std::memory_order_acquire);
  while (one != nullptr && !is_it(*one)) {
    one = one->*kNext;
  }
  return one;
}

// `make` runs under the lock. Returns null if it does, or if the lock cannot be taken.
template <auto kNext, typename One, typename IsIt, typename Make>
One* find_or_make(std::atomic<One*>& list, IsIt is_it, Make make) {
  if (One* const known = find_in<kNext>(list, is_it)) {
    return known;
  }
  const PlansLocked locked;
  One* one = locked ? find_in<kNext>(list, is_it) : nullptr;  // another thread may have made it
  if (!locked || one != nullptr) {
    return one;
  }
  one = make();
  if (one != nullptr) {
    one->*kNext = list.load(std::memory_order_relaxed);
    list.store(one, std::memory_order_release);
  }
  return one;
}

// A signal handler of the holder may fork. Then the holder keeps the lock in both processes.
void lock_for_fork();
void unlock_behind_fork();

// If another thread of the parent had the lock, the child never gets the lock.
void give_up_lost_lock();

}  // namespace nestbind::placement
