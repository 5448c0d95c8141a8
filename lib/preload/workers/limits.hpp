// SPDX-License-Identifier: BSD-3-Clause
// Computes how many waiting threads may be kept. There are two limits: the process's address space
// (RLIMIT_AS), and the threads in its cgroups (pids.max, versions 1 and 2).
#pragma once

#include <pthread.h>

namespace nestbind::workers {

inline constexpr long kUnlimited = 1L << 40;

// Returns how many more threads may be kept, which may be negative. Kept threads must not use more
// than half of the allowed threads (left + kept).
constexpr long more_to_keep(long left, long kept) { return (left - kept) / 2; }

long address_space_left(const pthread_attr_t* attributes);

// `root` is as in support/cgroup.hpp.
long cgroup_threads_left(const char* root = "");

// True if one more thread with this stack may be kept. Then the call counts this thread. `kept` is
// the number of threads that are kept now. The limits are read again after 0.01 s, or if the limit
// of the address space has changed.
bool limits_let_keep(const pthread_attr_t* attributes, int kept);

}  // namespace nestbind::workers
