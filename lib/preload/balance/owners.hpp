// SPDX-License-Identifier: BSD-3-Clause
// Chooses the owners of a loop's blocks. The owner of a block is the thread that runs the block.
// Blocks are numbered in the order of their iterations.
//
// Owners change only if the gain is larger than the variation of a thread's load from one execution
// to the next. If loads alternate or are disturbed, the variation is larger than any gain, so
// owners do not change. If only one execution is uneven, stealing balances it.
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

// Each thread has a list of the loop's blocks that it owns.
//
// The blocks of a list ascend. So a thread that steals nothing runs its iterations in ascending
// order, as monotonic schedules require. The first part of a list is closed: only the owner runs
// these blocks, even if the owner comes late. The rest is stealable: the owner and other threads
// take blocks from the beginning of the rest. All threads compute the same parts from a list.

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
