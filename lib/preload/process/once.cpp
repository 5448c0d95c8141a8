// SPDX-License-Identifier: BSD-3-Clause
#include "process/once.hpp"

#include <errno.h>
#include <time.h>

#include "process/undisturbed.hpp"

namespace nestbind::process {

namespace {

long seconds_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec;
}

}  // namespace

bool Once::is_ours() {
  const void* const self = &errno;  // the address differs in each thread
  const void* doer = nullptr;
  if (doer_.compare_exchange_strong(doer, self, std::memory_order_acquire)) {
    return true;
  }
  constexpr timespec kShort{0, 100000};
  const Uncancelled uncancelled;
  for (const long begun = seconds_now(); doer != self && !is_done();) {
    if (seconds_now() - begun > kSeconds) {
      return doer_.compare_exchange_strong(doer, self, std::memory_order_acquire);
    }
    nanosleep(&kShort, nullptr);
  }
  return false;
}

}  // namespace nestbind::process
