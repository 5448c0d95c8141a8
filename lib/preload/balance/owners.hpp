// SPDX-License-Identifier: BSD-3-Clause
// Chooses the owners of a loop's blocks. The owner of a block is the thread that runs the block.
// Blocks are numbered in the order of their iterations.
//
// Owners change only if the gain is larger than the variation of a thread's load from one execution
// to the next. If loads alternate or are disturbed, the variation is larger than any gain, so
// owners do not change. If only one execution is uneven, stealing balances it (lists.hpp).
#pragma once

#include <cstdint>

#include "balance/assign.hpp"

namespace nestbind::balance {

// All times have the same unit. The time of a measured block is at least 1.
using Ticks = std::uint64_t;

// The load of a block is its mean time. Each measurement moves the load towards the measured time:
// the second by 1/3 of the distance, the third by 1/4, and so on, down to 1/8.
struct Load {
  Ticks time = 0;        // 0: not measured yet
  std::int64_t off = 0;  // the last measured time minus the earlier load
};
// A measured time counts as at most 4 * load, so that a preemption has little effect. `seen` is the
// measured time, or 0.
Load with_time(Ticks known, Ticks seen, std::uint64_t before);

// Returns the new variation of a thread's load. `off` is the sum of Load::off over the thread's
// blocks. Each execution moves the variation towards |off|, by the same steps as the load of a
// block.
Ticks with_off(Ticks varies, std::int64_t off, std::uint64_t before);

// True if look() is due after this number of measured executions. The number must be a multiple of
// `every`, and at least 4.
inline constexpr std::uint64_t kEveryAuto = 0;   // looks cost at most about 2 % of the time
inline constexpr std::uint64_t kUsualEvery = 4;  // with kEveryAuto, the least `every`
bool is_look_due(std::uint64_t executions, std::uint64_t every);

// All arrays have one entry for each block.
struct KnownBlocks {
  int count = 0;
  const Ticks* load = nullptr;
  // The time of the block on its home node (`local`) and on another node (`remote`). Both times are
  // from the last move of the block between nodes. They are 0 if the block never moved.
  const Ticks* local = nullptr;
  const Ticks* remote = nullptr;
  const int* home = nullptr;  // the node on which the block ran first; -1: not known
};

// Returns the cost of one message: the extra time of a block that runs on another node than its
// home. The cost is the mean over the blocks that have run both at home and on another node.
// Without such blocks, the cost is 5 % of the mean load of a block. A single run may be disturbed.
// So the extra time of a block is at most the smaller of its two times. The cost is at least 0.
double alpha_of(const KnownBlocks& blocks);

// Working memory of look(). The caller owns it.
struct LookWork {
  Work work;
  double* load = nullptr;
  int* first = nullptr;
  int* other = nullptr;
  int* owner = nullptr;
};
std::size_t look_bytes(int blocks, const Machine& threads);
// Places the arrays in memory of look_bytes() bytes, which must be aligned for doubles.
LookWork look_in(void* memory, int blocks, const Machine& threads);

struct Look {
  bool is_taken = false;
  bool is_promising = false;  // the gain is above 2 % and above the variation
  int moved = 0;              // number of blocks with another owner, even if is_taken is false
  double before = 0;          // largest load of a thread / mean load; 0: no load is known
  double after = 0;
};

// Looks for better owners by NumaLB. A block sends one message to its home and one to each
// neighbour. `threads` has the team's members as slots, on their nodes. If `alpha` is negative,
// alpha_of() is used. `varies` is the variation of each thread, or null. `owner` is the thread of
// each block, and changes if the new owners are taken.
Look look(const KnownBlocks& blocks, const Machine& threads, double alpha, const Ticks* varies,
          const LookWork& work, int* owner);

}  // namespace nestbind::balance
