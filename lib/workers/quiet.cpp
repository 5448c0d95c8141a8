// SPDX-License-Identifier: BSD-3-Clause
#include "workers/quiet.hpp"

#include <signal.h>
#include <string.h>

#include "support/errno_kept.hpp"
#include "support/system_call.hpp"
#include "workers/census.hpp"
#include "workers/changes.hpp"

namespace nestbind::workers {

void note_mask_change() { note_change(); }

void note_mask(const void* next) {
  if (kept_workers() == 0) {
    return;
  }
  constexpr std::size_t kKernelBytes = 8;  // of a set of signals
  const support::ErrnoKept errno_kept;
  unsigned char mask[kKernelBytes];
  const bool is_known =
      support::system_call(SYS_rt_sigprocmask, SIG_SETMASK, nullptr, mask, kKernelBytes) == 0;
  if (!is_known || memcmp(mask, next, kKernelBytes) != 0) {
    note_mask_change();
  }
}

}  // namespace nestbind::workers
