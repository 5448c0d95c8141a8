// SPDX-License-Identifier: BSD-3-Clause
// Runs an action once in the process.
#pragma once

#include <atomic>

#include "support/errno_kept.hpp"

namespace nestbind::process {

// Constant-initialised. While one thread runs the action, other threads wait for its end. If the
// action calls run() again on the same thread, that call returns at once. A thread that has waited
// for kSeconds runs the action itself: the first thread may have ended, may be missing after fork,
// or may wait for a lock that the waiting thread holds.
class Once {
 public:
  template <typename Action>
  void run(Action action) {
    if (!is_done()) {
      do_it(action);
    }
  }

 private:
  template <typename Action>
  [[gnu::noinline]] void do_it(Action action) {
    const support::ErrnoKept errno_kept;
    if (is_ours()) {
      action();
      is_done_.store(true, std::memory_order_release);
    }
  }

  static constexpr long kSeconds = 5;

  bool is_done() const { return is_done_.load(std::memory_order_acquire); }

  // Whether the calling thread must run the action. Waits while another thread runs it.
  bool is_ours();

  std::atomic<bool> is_done_{false};
  std::atomic<const void*> doer_{nullptr};  // address of the running thread's errno
};

}  // namespace nestbind::process
