// SPDX-License-Identifier: BSD-3-Clause
// Runs an action once in the process.
#pragma once

#include <atomic>

#include "support/errno_kept.hpp"

namespace nestbind::process {

// Constant-initialised. Other threads wait until the action has ended. If the action itself calls
// run(), the inner call returns at once. A thread that has waited for kSeconds runs the action
// itself: the first thread may have ended, may not exist in this forked child, or may wait for a
// lock of the waiting thread.
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

  bool is_ours();

  std::atomic<bool> is_done_{false};
  std::atomic<const void*> doer_{nullptr};
};

}  // namespace nestbind::process
