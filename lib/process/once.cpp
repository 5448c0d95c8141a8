// SPDX-License-Identifier: BSD-3-Clause
#include "process/once.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "support/errno_kept.hpp"

namespace nestbind::process {

bool Once::is_ours() {
  const support::ErrnoKept errno_kept;
  const int self = gettid();
  int doer = kNotBegun;
  if (state_.compare_exchange_strong(doer, self, std::memory_order_acquire)) {
    return true;
  }
  constexpr timespec kShort{0, 100000000};
  for (int waits = 100; doer != kDone && doer != self && waits > 0; --waits) {
    syscall(SYS_futex, &state_, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, doer, &kShort, nullptr, 0);
    doer = state_.load(std::memory_order_acquire);
  }
  return false;
}

void Once::finish() {
  const support::ErrnoKept errno_kept;
  state_.store(kDone, std::memory_order_release);
  constexpr int kAll = 1 << 30;
  syscall(SYS_futex, &state_, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, kAll, nullptr, nullptr, 0);
}

}  // namespace nestbind::process
