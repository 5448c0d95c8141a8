// SPDX-License-Identifier: BSD-3-Clause
// The lock of all plans and places: only its holder may change them. fork() takes the lock, too, so
// that a child finds them complete.
#pragma once

#include "process/undisturbed.hpp"
#include "support/errno_kept.hpp"

namespace nestbind::placement {

// Holds the lock while it lives. The calling thread has to be undisturbed. A signal handler for a
// fault may still get here on the thread that has the lock; it does not wait, and gets nothing. If
// another thread had the lock at a fork that ran no handlers, the child gets nothing either.
class PlansHeld {
 public:
  PlansHeld();
  ~PlansHeld();
  PlansHeld(const PlansHeld&) = delete;
  PlansHeld& operator=(const PlansHeld&) = delete;

  explicit operator bool() const { return is_ours_; }

 private:
  bool is_ours_;
};

// The same for any thread: until then it is not cancelled, and runs no signal handler.
class PlansLocked {
 public:
  explicit operator bool() const { return static_cast<bool>(held_); }

 private:
  support::ErrnoKept errno_kept_;
  process::Undisturbed undisturbed_;
  PlansHeld held_;
};

// Called before fork(), and after it in the parent and in the child. If a signal handler forks on
// the thread that has the lock, the thread keeps the lock in both processes.
void lock_for_fork();
void unlock_behind_fork();

// Called in the child of a fork that ran no handlers: the lock may be lost.
void give_up_lost_lock();

}  // namespace nestbind::placement
