// SPDX-License-Identifier: BSD-3-Clause
#include "process/once.hpp"

#include <errno.h>

#include "process/undisturbed.hpp"
#include "support/clock.hpp"

namespace nestbind::process {

bool Once::is_ours() {
  const void* const self = &errno;  // the address differs in each thread
  const void* doer = nullptr;
  if (doer_.compare_exchange_strong(doer, self, std::memory_order_acquire)) {
    return true;
  }
  const Uncancelled uncancelled;
  for (const long begun = support::milliseconds_now(); doer != self && !is_done();) {
    if (support::milliseconds_now() - begun > kSeconds * 1000) {
      return doer_.compare_exchange_strong(doer, self, std::memory_order_acquire);
    }
    support::nap(100);
  }
  return false;
}

}  // namespace nestbind::process
