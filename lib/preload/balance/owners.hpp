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

// The load of a block is a running mean of its times. The latest time has a weight of at least 1/8.
struct Load {
  Ticks time = 0;        // 0: not measured yet
  std::int64_t off = 0;  // the last measured time minus the earlier load
};
// A time above 4 * load is cut to 4 * load, so that a preemption has little effect. `seen` is the
// measured time, or 0.
Load with_time(Ticks known, Ticks seen, std::uint64_t before);

// Returns the new variation of a thread's load: a running mean of |off|. `off` is the sum of
// Load::off over the thread's blocks.
Ticks with_off(Ticks varies, std::int64_t off, std::uint64_t before);

// True if look() is due after this number of measured executions. The number must be a multiple of
// `every`, and at least 4.
inline constexpr std::uint64_t kEveryAuto = 0;
inline constexpr std::uint64_t kUsualEvery = 4;  // the least `every` with kEveryAuto
bool is_look_due(std::uint64_t executions, std::uint64_t every);

// All arrays have one entry for each block.
struct KnownBlocks {
  int count = 0;
  const Ticks* load = nullptr;
  // The time of the block on its home node (`local`) and on another node (`remote`). Both times are
  // from the last move of the block to or from its home node. They are 0 if the block never left
  // this node.
  const Ticks* local = nullptr;
  const Ticks* remote = nullptr;
  const int* home = nullptr;  // the node on which the block ran first; -1: not known
};

// Returns the mean extra time of a block on a remote node. Only blocks with a local and a remote
// time are used. If there are no such blocks, the result is 5 % of the mean load of a block. A
// single run may be disturbed. So the extra time of a block is limited to the smaller of its two
// times. The result is at least 0.
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
// neighbour. If `alpha` is negative, alpha_of() is used. `varies` is the variation of each thread.
// If `varies` is null, variations do not count. If the new owners gain enough, the function writes
// them to `owner`.
Look look(const KnownBlocks& blocks, const Machine& threads, double alpha, const Ticks* varies,
          const LookWork& work, int* owner);

}  // namespace nestbind::balance
