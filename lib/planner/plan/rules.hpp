// SPDX-License-Identifier: BSD-3-Clause
// The rules of a specification's levels, with sizes for one machine.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "machine/machine_topology.hpp"
#include "spec/spec.hpp"

namespace nestbind::plan {

struct Rule {
  spec::Level level;
  int size = 1;
  int whole = 0;          // for a symbolic size, the number of such objects in the whole machine
  long need = 1;          // number of slots for a thread and its descendants
  long scatter_need = 1;  // like `need`, but each symbolic size counts as 1
  bool repeats = false;   // whether all deeper levels have this rule, too
};
using Rules = std::vector<Rule>;

Rules make_rules(const spec::Spec& spec, const machine::Topology& topology,
                 machine::CoreChoice cores);

// Multiplies numbers of threads or slots (1 or more). Sizes come from the user's program, and a
// product of many sizes has more bits than a long. So the result is at most kMostThreads, which is
// more than every machine has.
inline constexpr long kMostThreads = 1L << 30;
inline long times(long a, long b) { return a > kMostThreads / b ? kMostThreads : a * b; }

// Returns the product of the sizes, which is the number of wanted slots.
long product(const Rules& rules);

std::string crowd(long threads, long slots);

const Rule* rule_of(const Rules& rules, int level);

// Limits a symbolic team size. size: the size without a quota. before: the product of the sizes of
// earlier levels. quota: the most threads in all (nestbind-spec(7)), or 0 for no limit.
inline int cut_size(int size, long before, int quota) {
  return quota == 0 ? size : static_cast<int>(std::clamp<long>(quota / before, 1, size));
}

// Returns the size that "auto" sets for an outermost team, or 0.
inline int default_size(int slots, int parts, int quota) {
  const bool is_set = parts > 1 || (quota > 0 && quota < slots);
  return is_set ? cut_size(slots, parts, quota) : 0;
}

// Returns a warning if the sizes make more threads than the quota, or an empty text.
std::string over_quota(const Rules& rules, int quota);

// True for an inner level with `scatter` or `compact`. Its teams get slots of the whole machine.
bool is_plain_inner(const Rules& rules, int level);

}  // namespace nestbind::plan
