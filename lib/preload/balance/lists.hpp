// SPDX-License-Identifier: BSD-3-Clause
// Each thread has a list of the loop's blocks that it owns. The list says which blocks the thread
// runs itself, which blocks other threads may take, and which blocks are handed out together.
//
// The blocks of a list are ascending. So if a thread takes nothing from other lists, its iterations
// are ascending. The first part of a list is closed: only the owner runs these blocks, even if the
// owner comes late. The rest is stealable: the owner and other threads take blocks from the
// beginning of the rest. All threads compute the same parts from a list.
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
  const int* block = nullptr;  // all blocks, each one once

  int begin(int thread) const { return first[thread]; }
  int end(int thread) const { return first[thread + 1]; }
  // The stealable part of a list is [stealable_begin, stealable_end). `stealable` is 0 to kWhole.
  //
  // The thread whose list has the loop's last block runs this block after all its other blocks.
  // This thread takes nothing from other lists. So the thread that runs the loop's last iteration
  // runs nothing after that iteration, as `lastprivate` of all compilers requires.
  int stealable_begin(int thread, int stealable) const;
  int stealable_end(int thread) const { return end(thread) - (has_last(thread) ? 1 : 0); }
  // Whether a thread's list has the loop's last block, which is then at the end of the list.
  bool has_last(int thread) const {
    return begin(thread) < end(thread) && block[end(thread) - 1] == first[threads] - 1;
  }
};

// Sorts blocks by owners. `first` has room for threads + 1 numbers, and `block` for `count`.
Lists make_lists(const int* owner, int count, int threads, int* first, int* block);

// A run is a sequence of neighbouring blocks that are handed out together. Returns the end of the
// run that begins at index `from` of `block`, at most `end`. Blocks are joined until the sum of
// their known times reaches `least` ticks. A run has at least one block. `time` has the time of
// each block. A block without a known time (0, or a null array) is not joined.
int run_end(const Lists& lists, int from, int end, const Ticks* time, Ticks least);

}  // namespace nestbind::balance
