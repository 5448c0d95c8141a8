// SPDX-License-Identifier: BSD-3-Clause
// How many waiting threads the limits allow: the limit of this process (RLIMIT_AS), and the limits
// of its cgroup and the parent cgroups (pids.max, versions 1 and 2).
#pragma once

#include <pthread.h>

namespace nestbind::workers {

// This value means that nothing limits the number of threads.
inline constexpr long kUnlimited = 1L << 40;

// How many more threads may be kept. left: how many more threads have room. kept: how many threads
// are kept now. At least half of this room (left + kept) stays free. The result may be negative.
constexpr long more_to_keep(long left, long kept) { return (left - kept) / 2; }

// How many more threads with the attributes' stack fit into the address space.
long address_space_left(const pthread_attr_t* attributes);

// How many more threads the process's cgroups allow. root: prefix of /proc and mounts, for tests.
long cgroup_threads_left(const char* root = "");

// Whether one more thread with this stack may be kept, if `kept` threads are kept now. If so,
// counts it. Limits are read again after 0.01 s, or if the address space's limit has changed.
bool limits_let_keep(const pthread_attr_t* attributes, int kept);

}  // namespace nestbind::workers
