// SPDX-License-Identifier: BSD-3-Clause
#include "process/once.hpp"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "support/errno_kept.hpp"

namespace nestbind::process {

bool Once::is_ours() {
  const void* const self = &errno;
  const void* doer = nullptr;
  if (doer_.compare_exchange_strong(doer, self, std::memory_order_acquire)) {
    return true;
  }
  const support::ErrnoKept errno_kept;
  constexpr timespec kShort{0, 100000};
  constexpr int kTenSeconds = 100000;
  for (int waits = 0; doer != self && !is_done() && waits < kTenSeconds; ++waits) {
    syscall(SYS_nanosleep, &kShort, nullptr);  // the C library's may end a thread that is cancelled
  }
  return false;
}

}  // namespace nestbind::process
