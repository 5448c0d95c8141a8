// SPDX-License-Identifier: BSD-3-Clause
// The owners of a loop's blocks: what is known of each block, when owners are looked at again, and
// whether new ones are worth it. Blocks are numbered in the order of their iterations.
//
// Owners change when they gain more than a thread's load varies from one execution to the next.
// Loads that alternate or are disturbed vary by more than any owners gain; after a lasting change
// they soon vary less. So one threshold tells them apart, and nothing has to be remembered of
// earlier decisions. That a step is uneven for once is for stealing (lists.hpp).
#pragma once

#include <cstdint>

#include "balance/assign.hpp"

namespace nestbind::balance {

// In any unit, the same everywhere; a block that has been measured has at least 1.
using Ticks = std::uint64_t;

// What a block takes. It follows what is measured: by a third of the way at its second time, a
// quarter at the third, and so on down to an eighth.
struct Load {
  Ticks time = 0;        // 0: not measured yet
  std::int64_t off = 0;  // how much more the last time was than what was known, or less
};
// The load with a new time taken in. Beyond four times the load nothing of it counts, so that a
// preemption hardly does. seen: 0 is none. before: times that it had already.
Load with_time(Ticks known, Ticks seen, std::uint64_t before);

// By how much a thread's blocks are off altogether in an execution, on average; it follows
// likewise. What is off by chance in each block hardly is in all of them.
Ticks with_off(Ticks varies, std::int64_t off, std::uint64_t before);

// Whether owners are looked at after so many measured executions, counted from 1: after every
// `every`th, but not before the fourth.
inline constexpr std::uint64_t kEveryAuto = 0;   // as often as looks are cheap, and at most
inline constexpr std::uint64_t kUsualEvery = 4;  // so often
bool is_look_due(std::uint64_t executions, std::uint64_t every);

// What is known of a loop's blocks. All arrays have one entry for each.
struct KnownBlocks {
  int count = 0;
  const Ticks* load = nullptr;
  // Its time on its home and elsewhere, when it last came from the one to the other; 0: never.
  const Ticks* local = nullptr;
  const Ticks* remote = nullptr;
  const int* home = nullptr;  // the node that it ran on first; -1: not known
};

// What running elsewhere costs a block, and so what one message is worth: the mean of what that has
// been measured to be, over blocks that have run at home and elsewhere; 5 % of the mean block as
// long as there is none. Of a block no more counts than its least time, and the mean is not below
// 0: a place where it ran once may have been disturbed.
double alpha_of(const KnownBlocks& blocks);

// What a look needs beside lib/preload/balance's own work; of the caller's, its contents do not
// matter.
struct LookWork {
  Work work;
  double* load = nullptr;  // of each block
  int* first = nullptr;    // count + 1
  int* other = nullptr;    // 2 * count
  int* owner = nullptr;    // count
};
std::size_t look_bytes(int blocks, const Machine& threads);
// In memory of so many bytes that is aligned for doubles.
LookWork look_in(void* memory, int blocks, const Machine& threads);

struct Look {
  bool is_taken = false;      // the new owners
  bool is_promising = false;  // they gain more than loads vary, perhaps not enough to be taken
  int moved = 0;              // of those that were found, taken or not
  double before = 0;  // the heaviest thread by what is known, over the mean; 0: nothing is known
  double after = 0;   // the same with the new owners
};

// Looks whether other owners are better: by NumaLB, where a block sends one message to its home and
// one to each neighbour. They are taken if the heaviest thread's load falls by more than 2 %, and
// by more than two and a half times what any thread's varies. threads: the team's members as slots,
// in their nodes. alpha: negative for alpha_of(). varies: of each thread; null: it does not count.
// owner: of each block, a thread; the new one after that, if it is taken.
Look look(const KnownBlocks& blocks, const Machine& threads, double alpha, const Ticks* varies,
          const LookWork& work, int* owner);

}  // namespace nestbind::balance
