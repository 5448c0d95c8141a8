// SPDX-License-Identifier: BSD-3-Clause
// The owners of a loop's blocks as a list for each thread: what the thread runs itself, what others
// may take of that, and which blocks are handed out together.
//
// A list rises, so that a thread which takes nothing from others has rising iterations. The first
// part of a list is closed: only its thread runs it, however late the thread comes. The rest is
// stealable: its thread and others take from its begin. All threads compute the same from a list.
#pragma once

#include <cstdint>

#include "balance/owners.hpp"

namespace nestbind::balance {

// The largest stealable part of a list, in 1/kWhole.
inline constexpr int kWhole = 10000;
inline constexpr int kStealableAtFirst = 5000;  // while no owner has changed
inline constexpr int kStealableByDefault = 2500;

struct Lists {
  int threads = 0;
  const int* first = nullptr;  // threads + 1 places in `block`
  const int* block = nullptr;  // each block once

  int begin(int thread) const { return first[thread]; }
  int end(int thread) const { return first[thread + 1]; }
  // The stealable part of a list: places [stealable_begin, stealable_end). stealable: 0 to kWhole.
  //
  // The thread whose list has the loop's last block runs this block last. It takes nothing from
  // others after its stealable part, and nothing at all after that block. So the thread that runs
  // the last iteration runs it last, as `lastprivate` of all compilers requires.
  int stealable_begin(int thread, int stealable) const;
  int stealable_end(int thread) const { return end(thread) - (has_last(thread) ? 1 : 0); }
  // Whether a thread's list has the last block of all, which is then the last one in the list.
  bool has_last(int thread) const {
    return begin(thread) < end(thread) && block[end(thread) - 1] == first[threads] - 1;
  }
};

// Sorts blocks by owners. first has room for threads + 1 numbers, and block for `count`.
Lists make_lists(const int* owner, int count, int threads, int* first, int* block);

// The end of the run that begins at place `from` of the lists, at most `end`. Neighbouring blocks
// are joined until their known times reach `least` ticks. A run has at least one block. time: of
// each block; null, or 0: not known, so the block is not joined.
int run_end(const Lists& lists, int from, int end, const Ticks* time, Ticks least);

}  // namespace nestbind::balance
