// SPDX-License-Identifier: BSD-3-Clause
// The CPU time that threads compute in the loops that we share. It is counted only after somebody
// has asked, because reading a thread's CPU time is a system call.
#pragma once

#include <atomic>
#include <cstdint>

namespace nestbind::worksharing {

extern std::atomic<bool> g_counts_computed;

// What a thread notes at the begin of a loop: its CPU time in nanoseconds, never 0.
std::uint64_t computed_so_far();
void add_computed(std::uint64_t from, int team_size);

struct Computed {
  std::uint64_t nanoseconds;  // of all threads since the last call, also in loops inside loops
  int threads;                // the largest team with such a loop
};
Computed take_computed();
void count_computed();

}  // namespace nestbind::worksharing
