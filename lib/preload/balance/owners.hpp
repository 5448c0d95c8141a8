// SPDX-License-Identifier: BSD-3-Clause
// Chooses the owners of a loop's blocks. The owner of a block is the thread that runs the block.
// Blocks are numbered in the order of their iterations.
//
// Owners change only if the gain is larger than the variation of a thread's load from one execution
// to the next. Loads that alternate or are disturbed vary by more than any owners can gain. After a
// lasting change, loads soon vary less. So one threshold separates the two cases, without a record
// of earlier decisions. If only one execution is uneven, stealing balances it (lists.hpp).
#pragma once

#include <cstdint>

#include "balance/assign.hpp"

namespace nestbind::balance {

// A time. All times have the same unit. The time of a measured block is at least 1.
using Ticks = std::uint64_t;

// The load of a block is its mean time. Each measurement moves the load towards the measured time:
// the second by 1/3 of the distance, the third by 1/4, and so on, down to 1/8.
struct Load {
  Ticks time = 0;        // 0: not measured yet
  std::int64_t off = 0;  // the last measured time minus the earlier load
};
// Returns the load after one more measurement. A measured time counts as at most 4 * load, so that
// a preemption has little effect. `seen` is the measured time, or 0. `before` counts earlier
// measurements.
Load with_time(Ticks known, Ticks seen, std::uint64_t before);

// Returns the variation of a thread's load, after one more execution. `off` is the sum of Load::off
// of all its blocks. Random deviations of single blocks nearly cancel out in this sum. The
// variation moves towards the absolute value of `off`, as a load moves towards a time.
Ticks with_off(Ticks varies, std::int64_t off, std::uint64_t before);

// Whether to look for better owners after this number of measured executions. A look is due after
// every `every`th execution, but not before the fourth.
inline constexpr std::uint64_t kEveryAuto = 0;   // as often as looks are cheap enough
inline constexpr std::uint64_t kUsualEvery = 4;  // with kEveryAuto, the least `every`
bool is_look_due(std::uint64_t executions, std::uint64_t every);

// What is known of a loop's blocks. All arrays have one entry for each block.
struct KnownBlocks {
  int count = 0;
  const Ticks* load = nullptr;
  // Times on the home node and on another node, from the last move between these nodes, or 0.
  const Ticks* local = nullptr;
  const Ticks* remote = nullptr;
  const int* home = nullptr;  // the node on which the block ran first; -1: not known
};

// Returns the cost of one message: the extra time of a block that runs on another node than its
// home. The cost is the mean over the blocks that have run both at home and on another node.
// Without such blocks, the cost is 5 % of the mean load of a block. A single run may be disturbed.
// So a block's extra time is limited to the smaller of its two times, and the mean is at least 0.
double alpha_of(const KnownBlocks& blocks);

// Working memory of a look and its algorithm. The caller owns it. Its contents do not matter.
struct LookWork {
  Work work;
  double* load = nullptr;  // of each block
  int* first = nullptr;    // count + 1 numbers
  int* other = nullptr;    // 2 * count numbers
  int* owner = nullptr;    // count numbers
};
std::size_t look_bytes(int blocks, const Machine& threads);
// Places the arrays in memory of look_bytes() bytes, which must be aligned for doubles.
LookWork look_in(void* memory, int blocks, const Machine& threads);

struct Look {
  bool is_taken = false;      // the new owners are taken
  bool is_promising = false;  // the new owners gain more than the variation, perhaps too little
  int moved = 0;              // how many blocks have new owners, taken or not
  double before = 0;          // largest load of a thread / mean load; 0: no load is known
  double after = 0;           // this ratio with the new owners
};

// Looks for better owners by NumaLB. A block sends one message to its home and one to each
// neighbour. New owners are taken if the heaviest thread's load falls by more than 2 %. The fall
// must also exceed 2.5 times the largest variation. `threads` has the team's members as slots, on
// their nodes. `alpha` is the cost of a message. If `alpha` is negative, alpha_of() is used.
// `varies` is the variation of each thread. If `varies` is null, variations do not count. `owner`
// is the thread of each block, and changes if the new owners are taken.
Look look(const KnownBlocks& blocks, const Machine& threads, double alpha, const Ticks* varies,
          const LookWork& work, int* owner);

}  // namespace nestbind::balance
