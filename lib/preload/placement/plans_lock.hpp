// SPDX-License-Identifier: BSD-3-Clause
// The lock of all plans and places: who has it may change them. fork() takes it too, so that a
// child finds them whole.
#pragma once

#include "process/undisturbed.hpp"
#include "support/errno_kept.hpp"

namespace nestbind::placement {

// While this lives, the calling thread, which is undisturbed, has the lock. A handler of a fault
// all the same comes here on the thread that has the lock: it does not wait, and gets nothing. Nor
// does a child get anything whose parent was forked behind our back while another thread had it.
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

// The same of any thread: it is not cancelled meanwhile, and runs no signal handler.
class PlansLocked {
 public:
  explicit operator bool() const { return static_cast<bool>(held_); }

 private:
  support::ErrnoKept errno_kept_;
  process::Undisturbed undisturbed_;
  PlansHeld held_;
};

// Before fork(), and behind it in the parent and in the child. A handler may fork on the thread
// that has the lock already: it keeps it then, in both.
void lock_for_fork();
void unlock_behind_fork();

// In a child whose fork nobody was told of.
void give_up_lost_lock();

}  // namespace nestbind::placement
