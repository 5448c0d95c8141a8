// SPDX-License-Identifier: BSD-3-Clause
// Whether other owners of a loop's blocks are better in executions as they were.
//
// Owners are found by the least time of each block (owners.hpp), since a mean is ruined by each
// preemption. Where loads alternate from one execution to the next, none is like these least times,
// and what they promise does not come. So new owners are taken only where they would have been
// better in the executions that are remembered; they are on trial until the next look, and where
// they were not better in the executions since, or are not by the least times of by now, those
// before them come back. Each of that raises a doubt. With one, no execution may be worse; with
// more, new owners have to gain a quarter in each of all that are remembered, and that in as many
// looks, one after the other, as there are doubts. A loop that four looks have left alone has to be
// found uneven by two. Owners that have proved themselves take one doubt away.
//
// All times of one execution go into both sides of a comparison, so that what has disturbed it
// hardly counts; beyond four times its least time none of a block does.
#pragma once

#include "balance/owners.hpp"

namespace nestbind::balance {

// How many executions are remembered.
inline constexpr int kRemembered = 8;

struct Remembered {
  int count = 0;  // up to kRemembered
  int since = 0;  // how many of them had the present owners; the newest ones
  // Of block b in the execution that was i before the newest, at [i * blocks + b]; 0: not known,
  // and then its least time counts.
  const Ticks* time = nullptr;
};

struct Comparison {
  int executions = 0;
  int better = 0;   // in how many of them the heaviest thread would have had 2 % less,
  int worse = 0;    // and in how many 2 % more
  double gain = 0;  // what it would have had less, of all executions together; 1 is all
};

// The owners `other` in place of `owner`, in the newest `executions` that are remembered. A block
// is taken to have run where `owner` has it. load: room for a number for each thread.
Comparison compare(const KnownBlocks& blocks, const Remembered& remembered, int executions,
                   const Machine& threads, const int* owner, const int* other, double* load);

// What a loop keeps from look to look; all zero at the begin.
struct Restraint {
  bool is_on_trial = false;
  int doubts = 0;
  int unchanged = 0;  // looks, one after the other, without other owners; up to four
  int agreed = 0;     // likewise, that found owners good enough, but for their number
};

struct LookBack {
  Look look;  // is_taken: there are other owners, new ones or those before
  bool is_put_back = false;
};

// As look(), with restraint. before: of each block, the owner that it had before the last change;
// changed with `owner`.
LookBack look_back(const KnownBlocks& blocks, const Remembered& remembered, const Machine& threads,
                   double alpha, const LookWork& work, Restraint& restraint, int* before,
                   int* owner);

}  // namespace nestbind::balance
