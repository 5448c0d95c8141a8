// SPDX-License-Identifier: BSD-3-Clause
// What the process does once.
#pragma once

#include <atomic>

#include "support/errno_kept.hpp"

namespace nestbind::process {

// Constant-initialised. While one thread does it, others wait until it is done; the thread itself
// goes on where it comes back to it from inside. After some seconds one that waits does it itself:
// the thread may have been left behind in another process by fork, or may have ended, or wait for a
// lock of theirs.
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

  // Whether the calling thread is to do it; waits where another does.
  bool is_ours();

  std::atomic<bool> is_done_{false};
  std::atomic<const void*> doer_{nullptr};  // the thread that does it, by its own errno
};

}  // namespace nestbind::process
