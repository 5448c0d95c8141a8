// SPDX-License-Identifier: BSD-3-Clause
// Guards for our code inside a fork. There a thread must not be cancelled, and no signal handler
// may run: it could fork, and would find a plan half made.
#pragma once

#include <signal.h>

#include <cstddef>

#include "support/system_call.hpp"

namespace nestbind::process {

// A raw system call: we replace the C library's function, to notice what the program changes.
inline void change_signal_mask(int how, const sigset_t* set, sigset_t* old) {
  constexpr std::size_t kKernelBytes = 8;  // the size of a signal set in the kernel
  support::system_call(SYS_rt_sigprocmask, how, set, old, kKernelBytes);
}

// The calling thread cannot be cancelled while this object lives; asynchronous cancellation waits.
// Costs two calls into the C library, so not for the warm path.
class Uncancelled {
 public:
  Uncancelled();
  ~Uncancelled() noexcept(false);  // the thread may end here by the C library's exception
  Uncancelled(const Uncancelled&) = delete;
  Uncancelled& operator=(const Uncancelled&) = delete;

 private:
  int before_ = 0;
};

// Also holds back signals, but not those of faults. New threads inherit the held signals.
class Undisturbed {
 public:
  Undisturbed();
  ~Undisturbed() noexcept(false);
  Undisturbed(const Undisturbed&) = delete;
  Undisturbed& operator=(const Undisturbed&) = delete;

 private:
  // Signals are let in last: a handler may leave by siglongjmp.
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
