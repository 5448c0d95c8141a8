// SPDX-License-Identifier: BSD-3-Clause
// Each thread has a list of the loop's blocks that it owns.
//
// The blocks of a list ascend. So a thread that steals nothing runs its iterations in ascending
// order, as monotonic schedules require. The first part of a list is closed: only the owner runs
// these blocks, even if the owner comes late. The rest is stealable: the owner and other threads
// take blocks from the beginning of the rest. All threads compute the same parts from a list.
#pragma once

#include <cstdint>

#include "balance/owners.hpp"

namespace nestbind::balance {

// The unit of stealable parts is 1/kWhole of a list.
inline constexpr int kWhole = 10000;
inline constexpr int kStealableAtFirst = 5000;  // until an owner changes
inline constexpr int kStealableByDefault = 2500;

struct Lists {
  int threads = 0;
  const int* first = nullptr;  // where each list begins in `block`; threads + 1 numbers
  const int* block = nullptr;

  int begin(int thread) const { return first[thread]; }
  int end(int thread) const { return first[thread + 1]; }
  // The stealable part of a list is [stealable_begin, stealable_end).
  //
  // The thread whose list has the loop's last block runs this block after all its other blocks.
  // This thread takes nothing from other lists. For `lastprivate`, all compilers require that the
  // thread with the loop's last iteration runs nothing afterwards.
  int stealable_begin(int thread, int stealable) const;
  int stealable_end(int thread) const { return end(thread) - (has_last(thread) ? 1 : 0); }
  bool has_last(int thread) const {
    return begin(thread) < end(thread) && block[end(thread) - 1] == first[threads] - 1;
  }
};

// `first` has room for `threads` + 1 numbers. `block` has room for `count` numbers.
Lists make_lists(const int* owner, int count, int threads, int* first, int* block);

// Joins neighbouring blocks from index `from` on, until these blocks take `least` ticks. Returns
// the end of this run. A block without a known time is not joined. If `time` is null, no time is
// known.
int run_end(const Lists& lists, int from, int end, const Ticks* time, Ticks least);

}  // namespace nestbind::balance
