// SPDX-License-Identifier: BSD-3-Clause
// What the process does once.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

#include "support/errno_kept.hpp"

namespace nestbind::process {

// Constant-initialised. While one thread does it, others wait until it is done; the thread itself
// goes on where it comes back to it from inside. Nobody waits for more than ten seconds, for the
// thread may have been left behind in another process by fork, or may wait for a lock of theirs.
class Once {
 public:
  template <typename Action>
  void run(Action action) {
    if (state_.load(std::memory_order_acquire) != kDone) {
      run_slowly(action);
    }
  }

 private:
  static constexpr int kNotBegun = 0;  // otherwise the thread that does it
  static constexpr int kDone = -1;

  template <typename Action>
  void run_slowly(Action action) {
    const support::ErrnoKept errno_kept;
    const int self = gettid();
    int doer = kNotBegun;
    if (state_.compare_exchange_strong(doer, self, std::memory_order_acquire)) {
      action();
      state_.store(kDone, std::memory_order_release);
      syscall(SYS_futex, &state_, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1 << 30, nullptr, nullptr, 0);
      return;
    }
    constexpr timespec kShort{0, 100000000};
    for (int waits = 100; doer != kDone && doer != self && waits > 0; --waits) {
      syscall(SYS_futex, &state_, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, doer, &kShort, nullptr, 0);
      doer = state_.load(std::memory_order_acquire);
    }
  }

  std::atomic<int> state_{kNotBegun};
};

}  // namespace nestbind::process
