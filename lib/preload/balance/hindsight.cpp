// SPDX-License-Identifier: BSD-3-Clause
#include "balance/hindsight.hpp"

#include <algorithm>
#include <cstddef>

namespace nestbind::balance {

namespace {

constexpr Ticks kMost = 4;           // of a block's least time
constexpr double kLeastGain = 0.02;  // as look() has it
constexpr double kLeastPromise = 0.01;
constexpr int kOneOf = 8;  // executions may be worse
constexpr double kPlainGain = 0.25;
constexpr int kManyDoubts = 2;
constexpr int kMostDoubts = 4;
constexpr int kQuiet = 4;  // looks without a change
constexpr int kProof = 4;  // executions, and all that are remembered once there are doubts

// What a block takes on a node over what it takes where it has run; 1 where that is not known.
double factor_on(const KnownBlocks& blocks, int block, int node, int ran_on) {
  const int home = blocks.home[block];
  const auto local = static_cast<double>(blocks.local[block]);
  const auto remote = static_cast<double>(blocks.remote[block]);
  if ((node == home) == (ran_on == home) || local <= 0 || remote <= local) {
    return 1;
  }
  return node == home ? local / remote : remote / local;
}

// The heaviest thread's time with these owners, in an execution in which `ran` had the blocks.
double heaviest(const KnownBlocks& blocks, const Ticks* time, const Machine& threads,
                const int* ran, const int* owner, double* load) {
  std::fill(load, load + threads.slots, 0.0);
  for (int block = 0; block < blocks.count; ++block) {
    const Ticks least = blocks.time[block];
    const Ticks seen = time[block] == 0 ? least : std::min(time[block], kMost * least);
    load[owner[block]] +=
        static_cast<double>(seen) *
        factor_on(blocks, block, threads.node[owner[block]], threads.node[ran[block]]);
  }
  return *std::max_element(load, load + threads.slots);
}

bool is_borne_out(const Comparison& comparison) {
  return comparison.gain > kLeastGain && comparison.worse * kOneOf <= comparison.executions;
}

// Of owners that were before.
bool would_be_as_good(const Comparison& comparison) {
  return comparison.gain >= 0 || comparison.better * kOneOf > comparison.executions;
}

bool is_plain(const Comparison& comparison) {
  return comparison.executions == kRemembered && comparison.gain >= kPlainGain;
}

bool is_enough(const Comparison& comparison, int doubts) {
  return is_borne_out(comparison) && (doubts == 0 || comparison.worse == 0) &&
         (doubts < kManyDoubts || is_plain(comparison));
}

// How many looks have to agree before the one whose owners are taken. That all eight executions are
// alike comes by chance once in 128 looks where there are two kinds of them; of a loop that has
// been left alone for long there are many looks.
int agreeing_looks(const Restraint& restraint) {
  return std::max(restraint.doubts - 1, restraint.unchanged == kQuiet ? 1 : 0);
}

void doubt(Restraint& restraint) { restraint.doubts = std::min(restraint.doubts + 1, kMostDoubts); }

int put_back(const int* before, int* owner, int blocks) {
  int moved = 0;
  for (int block = 0; block < blocks; ++block) {
    moved += owner[block] != before[block] ? 1 : 0;
    owner[block] = before[block];
  }
  return moved;
}

}  // namespace

Comparison compare(const KnownBlocks& blocks, const Remembered& remembered, int executions,
                   const Machine& threads, const int* owner, const int* other, double* load) {
  Comparison result;
  result.executions = executions;
  double with_owner = 0;
  double with_other = 0;
  for (int execution = 0; execution < executions; ++execution) {
    const Ticks* time = remembered.time + static_cast<std::ptrdiff_t>(execution) * blocks.count;
    const double one = heaviest(blocks, time, threads, owner, owner, load);
    const double two = heaviest(blocks, time, threads, owner, other, load);
    with_owner += one;
    with_other += two;
    result.better += two < one * (1 - kLeastGain) ? 1 : 0;
    result.worse += two > one * (1 + kLeastGain) ? 1 : 0;
  }
  result.gain = with_owner > 0 ? 1 - with_other / with_owner : 0;
  return result;
}

LookBack look_back(const KnownBlocks& blocks, const Remembered& remembered, const Machine& threads,
                   double alpha, const LookWork& work, Restraint& restraint, int* before,
                   int* owner) {
  double* const load = work.work.load;
  const auto compared = [&](int executions, const int* other) {
    return compare(blocks, remembered, executions, threads, owner, other, load);
  };
  LookBack result;
  result.look = find_owners(blocks, threads, alpha, work, owner);
  if (result.look.before <= 0) {
    return result;  // nothing has been measured
  }
  if (restraint.is_on_trial) {
    // Of the least times, which more executions have made better. Where these promise nothing any
    // more, what is uneven is so for once, and for stealing.
    const double worth = heaviest(blocks, blocks.time, threads, owner, before, load) /
                         heaviest(blocks, blocks.time, threads, owner, owner, load);
    if (worth < 1 + kLeastPromise || would_be_as_good(compared(remembered.since, before))) {
      restraint.is_on_trial = false;
      doubt(restraint);
      result.look.after = result.look.before * worth;
      result.look.moved = put_back(before, owner, blocks.count);
      result.look.is_taken = result.is_put_back = true;
      return result;
    }
    if (remembered.since >= (restraint.doubts == 0 ? kProof : kRemembered)) {
      restraint.is_on_trial = false;
      restraint.doubts = std::max(0, restraint.doubts - 1);
    }
  }
  restraint.unchanged = std::min(restraint.unchanged + 1, kQuiet);
  if (!result.look.is_taken) {
    restraint.agreed = 0;
    return result;
  }
  const Comparison found = compared(remembered.count, work.owner);
  const bool is_good = is_enough(found, restraint.doubts);
  result.look.is_taken = is_good && restraint.agreed >= agreeing_looks(restraint);
  restraint.agreed = is_good && !result.look.is_taken ? restraint.agreed + 1 : 0;
  if (result.look.is_taken) {
    if (!restraint.is_on_trial) {
      std::copy(owner, owner + blocks.count, before);
    }
    std::copy(work.owner, work.owner + blocks.count, owner);
    restraint.is_on_trial = true;
    restraint.unchanged = 0;
  } else if (!is_good && remembered.count == kRemembered) {
    doubt(restraint);
  }
  return result;
}

}  // namespace nestbind::balance
