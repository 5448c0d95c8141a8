// SPDX-License-Identifier: BSD-3-Clause
// What limits leave for threads that wait: those of this process (RLIMIT_AS), and those of its
// cgroup (pids.max, versions 1 and 2, with the groups around it).
#pragma once

#include <pthread.h>

namespace nestbind::workers {

// Where nothing limits the number of threads.
inline constexpr long kUnlimited = 1L << 40;

// How many more threads may be kept beside `kept` where there is room for `left` more of them: at
// least half of the room that there would be without kept ones stays free. May be negative.
constexpr long more_to_keep(long left, long kept) { return (left - kept) / 2; }

// How many more threads with such a stack the address space has room for.
long address_space_left(const pthread_attr_t* attributes);

// How many more threads the cgroups of this process let it have. root: put before /proc and the
// mount points, for tests.
long cgroup_threads_left(const char* root = "");

// Whether one more thread with such a stack may be kept beside `kept`. Counts it, if so: while the
// limit of the address space is the same, nothing is read again within a hundredth of a second.
bool limits_let_keep(const pthread_attr_t* attributes, int kept);

}  // namespace nestbind::workers
