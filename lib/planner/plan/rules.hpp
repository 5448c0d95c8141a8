// SPDX-License-Identifier: BSD-3-Clause
// What a specification says of each level on a machine.
#pragma once

#include <string>
#include <vector>

#include "machine/machine_topology.hpp"
#include "spec/spec.hpp"

namespace nestbind::plan {

// What the specification says of one level, with the needs that follow from the deeper ones.
struct Rule {
  spec::Level level;
  int size = 1;           // the team size; of a symbolic one the count that stands for it in needs
  int whole = 0;          // of a symbolic size: how many of these objects the whole machine has
  long need = 1;          // slots that a thread wants for itself and its descendants
  long scatter_need = 1;  // the same with symbolic sizes counted as 1
  bool repeats = false;   // it holds for all deeper levels, too
};
using Rules = std::vector<Rule>;

// cores: those of which the objects of symbolic sizes are counted.
Rules make_rules(const spec::Spec& spec, const machine::Topology& topology,
                 machine::CoreChoice cores);

// The product of the sizes: how many slots are asked for.
long product(const Rules& rules);

// The rule that holds for a level; null: the level is beyond the specification.
const Rule* rule_of(const Rules& rules, int level);

// The size of a team that is a word's and has `size` threads without a quota, after the product of
// the sizes before it. quota: threads in all (nestbind-spec(7)); 0: none.
inline int cut_size(int size, long before, int quota) {
  const auto left = static_cast<int>(quota / before);
  return quota == 0 || size <= left ? size : left > 1 ? left : 1;
}

// The size that "auto" sets for an outermost team in one of so many parts of the machine, which has
// so many slots; 0: none.
inline int default_size(int slots, int parts, int quota) {
  const bool is_set = parts > 1 || (quota > 0 && quota < slots);
  return is_set ? cut_size(slots, parts, quota) : 0;
}

// That the sizes, those that are words cut, ask for more threads than the quota; empty: they do
// not.
std::string over_quota(const Rules& rules, int quota);

// Whether teams of this level draw on the whole machine: plain strategies at inner levels.
bool is_plain_inner(const Rules& rules, int level);

}  // namespace nestbind::plan
