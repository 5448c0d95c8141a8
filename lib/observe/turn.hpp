// SPDX-License-Identifier: BSD-3-Clause
// One text after the other.
#pragma once

namespace nestbind::observe {

// While it lives, no other thread writes. A forked child does not wait for a thread that it has
// not, and nobody for one that has been ended in its turn, nor a thread for itself, in a signal
// handler or further inside.
class Turn {
 public:
  static constexpr int kPatience = 10000;

  // Waits so many milliseconds at most, and goes on all the same then.
  explicit Turn(int patience = kPatience);
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  const bool is_inside_;  // the thread has it already
};

}  // namespace nestbind::observe
