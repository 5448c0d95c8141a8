// SPDX-License-Identifier: BSD-3-Clause
// The specification's rule for each level, on a machine.
#pragma once

#include <string>
#include <vector>

#include "machine/machine_topology.hpp"
#include "spec/spec.hpp"

namespace nestbind::plan {

// The rule of one level, with the needs that follow from deeper levels.
struct Rule {
  spec::Level level;
  int size = 1;           // the team size; for a symbolic size, the number that counts in needs
  int whole = 0;          // for a symbolic size: how many such objects the whole machine has
  long need = 1;          // slots for a thread and its descendants
  long scatter_need = 1;  // the same, but symbolic sizes count as 1
  bool repeats = false;   // the rule is also for all deeper levels
};
using Rules = std::vector<Rule>;

// cores: the kind of cores that symbolic sizes count.
Rules make_rules(const spec::Spec& spec, const machine::Topology& topology,
                 machine::CoreChoice cores);

// The product of the sizes: the number of wanted slots.
long product(const Rules& rules);

// Says in words that there are too few slots.
std::string crowd(long threads, long slots);

// The rule of a level. Returns null if the specification does not have this level.
const Rule* rule_of(const Rules& rules, int level);

// Limits a symbolic team size. size: the size without a quota. before: the product of the sizes of
// earlier levels. quota: the most threads in all (nestbind-spec(7)); 0: none.
inline int cut_size(int size, long before, int quota) {
  const auto left = static_cast<int>(quota / before);
  return quota == 0 || size <= left ? size : left > 1 ? left : 1;
}

// The size that "auto" sets for an outermost team, in one of `parts` parts of a machine; 0: none.
inline int default_size(int slots, int parts, int quota) {
  const bool is_set = parts > 1 || (quota > 0 && quota < slots);
  return is_set ? cut_size(slots, parts, quota) : 0;
}

// Says that the sizes, with limited symbolic sizes, make more threads than the quota; or empty.
std::string over_quota(const Rules& rules, int quota);

// Whether teams of this level take slots of the whole machine: scatter or compact at inner levels.
bool is_plain_inner(const Rules& rules, int level);

}  // namespace nestbind::plan
