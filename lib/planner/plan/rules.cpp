// SPDX-License-Identifier: BSD-3-Clause
#include "plan/rules.hpp"

#include "plan/strategies.hpp"

namespace nestbind::plan {

namespace {

long with_level(long product, const Rule& rule) {
  return rule.level.size > 0 ? times(product, rule.level.size)
                             : std::max<long>(product, rule.whole);
}

}  // namespace

long product(const Rules& rules) {
  long threads = 1;
  for (const Rule& rule : rules) {
    threads = with_level(threads, rule);
  }
  return threads;
}

Rules make_rules(const spec::Spec& spec, const machine::Topology& topology,
                 machine::CoreChoice cores) {
  Rules rules(spec.levels);
  long before = 1;  // the product of the sizes before this level
  for (int i = 0; i < spec.levels; ++i) {
    Rule& rule = rules[i];
    rule.level = spec.level[i];
    rule.size = rule.level.size;
    if (rule.size == 0) {
      rule.whole = topology.count(rule.level.object, cores);
      rule.size = static_cast<int>(std::max(1L, rule.whole / before));
    }
    before = with_level(before, rule);
  }
  if (spec.is_auto) {
    rules.back().repeats = true;
  }
  for (int i = spec.levels - 2; i >= 0; --i) {
    const Rule& next = rules[i + 1];
    const bool at_home = stays_in_default_domain(next.level.strategy);
    rules[i].need = times(next.need, at_home ? next.size : 1);
    rules[i].scatter_need = times(next.scatter_need, at_home ? std::max(1, next.level.size) : 1);
  }
  return rules;
}

const Rule* rule_of(const Rules& rules, int level) {
  if (level < static_cast<int>(rules.size())) {
    return &rules[level];
  }
  return !rules.empty() && rules.back().repeats ? &rules.back() : nullptr;
}

std::string crowd(long threads, long slots) {
  return std::to_string(threads) + " threads share " + std::to_string(slots) +
         (slots == 1 ? " slot" : " slots");
}

std::string over_quota(const Rules& rules, int quota) {
  long threads = 1;
  for (const Rule& rule : rules) {
    const int size = is_symbolic(rule.level) ? cut_size(rule.size, threads, quota)
                     : rule.level.is_star    ? 1
                                             : rule.size;
    threads = times(threads, size);
  }
  return quota == 0 || threads <= quota
             ? ""
             : std::to_string(threads) + " threads wait for each other: the CPU quota lets " +
                   std::to_string(quota) + " run";
}

bool is_plain_inner(const Rules& rules, int level) {
  return level > 0 && level < static_cast<int>(rules.size()) &&
         !stays_in_default_domain(rules[level].level.strategy);
}

}  // namespace nestbind::plan
