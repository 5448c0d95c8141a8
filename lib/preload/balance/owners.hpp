// SPDX-License-Identifier: BSD-3-Clause
// The owners of a loop's blocks: what is known of each block, when owners are looked at again, and
// whether new ones are worth it. Blocks are numbered in the order of their iterations.
//
// Who has the blocks of a loop changes seldom, by what many executions have shown; that a step is
// uneven for once is for stealing (lists.hpp).
#pragma once

#include <cstdint>

#include "balance/assign.hpp"

namespace nestbind::balance {

// In any unit, the same everywhere; a block that has been measured has at least 1.
using Ticks = std::uint64_t;

// The least time of a block, with a new one taken in: the less of both, but what was known creeps
// up by 2 % first, so that growth is seen. A mean would be ruined by each preemption. known, seen:
// 0 is none.
Ticks with_time(Ticks known, Ticks seen);

// After which executions owners are looked at, counted from 1: after 2, 4, 8, 16, 32, 64 and every
// 64th; a single one, which touches pages and warms up, says little. Or after every `every`th, but
// not before the fourth.
inline constexpr std::uint64_t kEveryAuto = 0;
inline constexpr std::uint64_t kFirstLook = 2;
inline constexpr std::uint64_t kFirstLookOfGiven = 4;
bool is_look_due(std::uint64_t executions, std::uint64_t every);

// What is known of a loop's blocks. All arrays have one entry for each. Times are with_time() of
// all executions, 0: none.
struct KnownBlocks {
  int count = 0;
  const Ticks* time = nullptr;    // wherever it ran
  const Ticks* local = nullptr;   // where it ran on its home
  const Ticks* remote = nullptr;  // where it ran elsewhere
  const int* home = nullptr;      // the node that it ran on first; -1: not known
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
  bool is_taken = false;  // the new owners; of find_owners(): whether they are worth it
  int moved = 0;          // of those that were found, taken or not
  double before = 0;      // the heaviest thread by what is known, over the mean
  double after = 0;       // the same with the new owners
};

// Looks whether other owners are better: by NumaLB, where a block sends one message to its home and
// one to each neighbour. They are taken where the heaviest thread is to have more than 2 % less.
// threads: the team's members as slots, in their nodes. alpha: negative for alpha_of().
// owner: of each block, a thread; the new one behind, where that is taken.
Look look(const KnownBlocks& blocks, const Machine& threads, double alpha, const LookWork& work,
          int* owner);
// The same, but `owner` stays: what was found is in work.owner, unless nothing has been measured.
Look find_owners(const KnownBlocks& blocks, const Machine& threads, double alpha,
                 const LookWork& work, const int* owner);

}  // namespace nestbind::balance
