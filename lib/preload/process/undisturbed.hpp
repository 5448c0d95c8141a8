// SPDX-License-Identifier: BSD-3-Clause
// What the program does not expect of a fork: that a thread is cancelled inside, or that a signal
// handler, which may fork a process or a team of its own, comes upon a plan that is half made.
#pragma once

#include <signal.h>

#include <cstddef>

#include "support/system_call.hpp"

namespace nestbind::process {

// The kernel's own call: the C library's is one that we stand before, to notice what the program
// changes.
inline void change_signal_mask(int how, const sigset_t* set, sigset_t* old) {
  constexpr std::size_t kKernelBytes = 8;  // of a set of signals
  support::system_call(SYS_rt_sigprocmask, how, set, old, kKernelBytes);
}

// The calling thread is not cancelled while this lives: no call is a point where it could be, and
// asynchronous cancellation waits. Two calls into the C library: not for the warm path.
class Uncancelled {
 public:
  Uncancelled();
  ~Uncancelled() noexcept(false);  // it may end here, by an exception of the C library's
  Uncancelled(const Uncancelled&) = delete;
  Uncancelled& operator=(const Uncancelled&) = delete;

 private:
  int before_ = 0;
};

// Signals wait as well, but those of faults, which cannot. What is created in between inherits
// that.
class Undisturbed {
 public:
  Undisturbed();
  ~Undisturbed() noexcept(false);
  Undisturbed(const Undisturbed&) = delete;
  Undisturbed& operator=(const Undisturbed&) = delete;

 private:
  // Signals come last: a handler may leave by siglongjmp.
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
