// SPDX-License-Identifier: BSD-3-Clause
// The owners of a loop's blocks: what is known of each block, when owners are looked at again, and
// whether new owners are worth it. Blocks are numbered in the order of their iterations.
//
// Owners change if that gains more than a thread's load varies from one execution to the next.
// Loads that alternate or are disturbed vary by more than any owners gain; after a lasting change
// they soon vary less. So one threshold separates the two cases, and no earlier decision has to be
// remembered. If only one execution is uneven, stealing balances it (lists.hpp).
#pragma once

#include <cstdint>

#include "balance/assign.hpp"

namespace nestbind::balance {

// Time in any unit, the same everywhere. A block that was measured has at least 1.
using Ticks = std::uint64_t;

// The time of a block. It moves towards each measured time: by a third of the way at the second
// time, a quarter at the third, and so on down to an eighth.
struct Load {
  Ticks time = 0;        // 0: not measured yet
  std::int64_t off = 0;  // the last time minus what was known before
};
// The load after one more time. Time above four times the load does not count, so a preemption has
// little effect. seen: 0: no time was measured. before: how many times there were before.
Load with_time(Ticks known, Ticks seen, std::uint64_t before);

// How much all of a thread's blocks together are off in an execution, on average; it moves in the
// same way. Random deviations of single blocks nearly cancel out in this sum.
Ticks with_off(Ticks varies, std::int64_t off, std::uint64_t before);

// Whether owners are looked at after so many measured executions, counted from 1: after every
// `every`th, but not before the fourth.
inline constexpr std::uint64_t kEveryAuto = 0;   // as often as looks are cheap
inline constexpr std::uint64_t kUsualEvery = 4;  // with kEveryAuto at most this often
bool is_look_due(std::uint64_t executions, std::uint64_t every);

// The known figures of a loop's blocks. All arrays have one entry for each block.
struct KnownBlocks {
  int count = 0;
  const Ticks* load = nullptr;
  // Times at home and elsewhere, from the block's last move between the two; 0: it never moved.
  const Ticks* local = nullptr;
  const Ticks* remote = nullptr;
  const int* home = nullptr;  // the node that it ran on first; -1: not known
};

// The cost of running a block elsewhere, and so of one message: the mean of the measured
// differences, over blocks that have run at home and elsewhere. If there is none, 5 % of the mean
// block. A block's difference counts at most as much as its smaller time, and the mean is at least
// 0, because a single run may have been disturbed.
double alpha_of(const KnownBlocks& blocks);

// Working memory of a look and its algorithm. The caller owns it; its contents do not matter.
struct LookWork {
  Work work;
  double* load = nullptr;  // of each block
  int* first = nullptr;    // count + 1 numbers
  int* other = nullptr;    // 2 * count numbers
  int* owner = nullptr;    // count numbers
};
std::size_t look_bytes(int blocks, const Machine& threads);
// In memory of look_bytes() bytes that is aligned for doubles.
LookWork look_in(void* memory, int blocks, const Machine& threads);

struct Look {
  bool is_taken = false;      // the new owners are taken
  bool is_promising = false;  // they gain more than loads vary, but perhaps not enough
  int moved = 0;              // how many blocks have new owners, taken or not
  double before = 0;          // the heaviest thread over the mean, by known times; 0: none known
  double after = 0;           // the same with the new owners
};

// Looks for better owners by NumaLB; a block sends one message to its home and one to each
// neighbour. New owners are taken if the heaviest thread's load falls by more than 2 %, and by more
// than two and a half times the largest variation of a thread's load. threads: the team's members
// as slots, on their nodes. alpha: negative for alpha_of(). varies: of each thread; null:
// variations do not count. owner: the thread of each block; changed if the new owners are taken.
Look look(const KnownBlocks& blocks, const Machine& threads, double alpha, const Ticks* varies,
          const LookWork& work, int* owner);

}  // namespace nestbind::balance
