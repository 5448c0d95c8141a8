// SPDX-License-Identifier: BSD-3-Clause
// What the process does once.
#pragma once

#include <atomic>

namespace nestbind::process {

// Constant-initialised. While one thread does it, others wait until it is done; the thread itself
// goes on where it comes back to it from inside. Nobody waits for more than ten seconds, for the
// thread may have been left behind in another process by fork, or may wait for a lock of theirs.
class Once {
 public:
  template <typename Action>
  void run(Action action) {
    if (state_.load(std::memory_order_acquire) != kDone && is_ours()) {
      action();
      finish();
    }
  }

 private:
  static constexpr int kNotBegun = 0;  // otherwise the thread that does it
  static constexpr int kDone = -1;

  // Whether the calling thread is to do it; waits where another does.
  bool is_ours();
  void finish();

  std::atomic<int> state_{kNotBegun};
};

}  // namespace nestbind::process
