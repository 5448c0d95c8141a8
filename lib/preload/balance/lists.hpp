// SPDX-License-Identifier: BSD-3-Clause
// The owners of a loop's blocks as lists of each thread: what it runs itself, what of that others
// may take, and which blocks are handed out as one.
//
// A list rises, so that a thread which takes nothing from others has rising iterations. Its first
// part is closed: the thread's own, however late it comes. What follows is stealable, for the
// thread and for others, who take from its begin, too. Who comes to a list computes the same as all
// others.
#pragma once

#include <cstdint>

#include "balance/owners.hpp"

namespace nestbind::balance {

// What of a list is stealable, at most, in 1/kWhole.
inline constexpr int kWhole = 10000;
inline constexpr int kStealableAtFirst = 5000;  // as long as no owner has changed
inline constexpr int kStealableByDefault = 2500;

struct Lists {
  int threads = 0;
  const int* first = nullptr;  // threads + 1 places in `block`
  const int* block = nullptr;  // each once

  int begin(int thread) const { return first[thread]; }
  int end(int thread) const { return first[thread + 1]; }
  // The stealable part of a list: places [stealable_begin, stealable_end). stealable: 0 to kWhole.
  //
  // The thread whose list has the loop's last block keeps that one for the end, takes nothing from
  // others behind its stealable part, and nothing at all behind that block: so the thread that runs
  // the last iteration runs it last, as `lastprivate` of all compilers wants it.
  int stealable_begin(int thread, int stealable) const;
  int stealable_end(int thread) const { return end(thread) - (has_last(thread) ? 1 : 0); }
  // Whether the last block of all is in a thread's list, where it is the last one, too.
  bool has_last(int thread) const {
    return begin(thread) < end(thread) && block[end(thread) - 1] == first[threads] - 1;
  }
};

// Sorts blocks by owners. first: room for threads + 1 numbers; block: for count.
Lists make_lists(const int* owner, int count, int threads, int* first, int* block);

// The end of what is handed out as one, from place `from` in the lists on, before `end`: blocks
// that are neighbours are joined until they take `least` ticks together, by what is known of their
// times. At least one. time: of each block; null, or 0: not known, and then it is not joined.
int run_end(const Lists& lists, int from, int end, const Ticks* time, Ticks least);

}  // namespace nestbind::balance
