// SPDX-License-Identifier: BSD-3-Clause
// These guards protect nestbind's code inside a fork of a team. For example, a signal handler must
// not fork a team while a plan is half made.
#pragma once

#include <signal.h>

#include <cstddef>

#include "support/system_call.hpp"

namespace nestbind::process {

// Calls the kernel, because nestbind's hook counts a call as a change by the program.
inline void change_signal_mask(int how, const sigset_t* set, sigset_t* old) {
  constexpr std::size_t kKernelBytes = 8;
  support::system_call(SYS_rt_sigprocmask, how, set, old, kKernelBytes);
}

// While this object exists, the calling thread cannot be cancelled. The object is too slow for
// repeated forks.
class Uncancelled {
 public:
  Uncancelled();
  ~Uncancelled() noexcept(false);  // a pending cancellation ends the thread here, by an exception
  Uncancelled(const Uncancelled&) = delete;
  Uncancelled& operator=(const Uncancelled&) = delete;

 private:
  int before_ = 0;
};

// While this object exists, the calling thread cannot be cancelled, and signals are blocked except
// those of faults. New threads inherit the blocked signals.
class Undisturbed {
 public:
  Undisturbed();
  ~Undisturbed() noexcept(false);
  Undisturbed(const Undisturbed&) = delete;
  Undisturbed& operator=(const Undisturbed&) = delete;

 private:
  // Signals are unblocked last, because a handler may leave by siglongjmp.
  struct HeldBack {
    HeldBack();
    ~HeldBack();
    HeldBack(const HeldBack&) = delete;
    HeldBack& operator=(const HeldBack&) = delete;
    sigset_t before;
  };
  HeldBack signals_;
  Uncancelled uncancelled_;
};

}  // namespace nestbind::process
