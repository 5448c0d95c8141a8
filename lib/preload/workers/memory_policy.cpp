// SPDX-License-Identifier: BSD-3-Clause
#include "workers/memory_policy.hpp"

#include "support/errno_kept.hpp"
#include "support/system_call.hpp"

namespace nestbind::workers {

// The kernel takes one more than the number of nodes for it.

bool MemoryPolicy::read() {
  const support::ErrnoKept errno_kept;
  return support::system_call(SYS_get_mempolicy, &mode_, nodes_, kNodes + 1, nullptr, 0) == 0;
}

void MemoryPolicy::adopt() const {
  const support::ErrnoKept errno_kept;
  support::system_call(SYS_set_mempolicy, mode_, nodes_, kNodes + 1);
}

}  // namespace nestbind::workers
