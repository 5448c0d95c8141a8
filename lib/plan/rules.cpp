// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <set>

#include "plan/plan.hpp"

namespace nestbind::plan {

using machine::Kind;
using machine::Machine;
using machine::Partition;

machine::Kind kind_of(spec::Object object) {
  switch (object) {
    case spec::Object::kPu:
      return Kind::kPu;
    case spec::Object::kCore:
      return Kind::kCore;
    case spec::Object::kL2:
      return Kind::kL2;
    case spec::Object::kL3:
      return Kind::kL3;
    case spec::Object::kNuma:
      return Kind::kNuma;
    case spec::Object::kPackage:
      return Kind::kPackage;
    case spec::Object::kBoard:
      break;
  }
  return Kind::kBoard;
}

namespace {

// A product of sizes with one more: a symbolic size, of which the machine has `whole`, replaces a
// smaller product.
long times(long product, const spec::Level& level, int whole) {
  return level.size > 0 ? product * level.size : std::max<long>(product, whole);
}

}  // namespace

long product(const spec::Spec& spec, const Count& count) {
  long threads = 1;
  for (int i = 0; i < spec.levels; ++i) {
    const spec::Level& level = spec.level[i];
    threads = times(threads, level, level.size > 0 ? 0 : count(kind_of(level.object)));
  }
  return threads;
}

Rules make_rules(const spec::Spec& spec, const Count& count) {
  Rules rules(spec.levels);
  long before = 1;  // the product of the sizes before this level
  for (int i = 0; i < spec.levels; ++i) {
    Rule& rule = rules[i];
    rule.level = spec.level[i];
    rule.size = rule.level.size;
    if (rule.size == 0) {
      rule.whole = count(kind_of(rule.level.object));
      rule.size = static_cast<int>(std::max(1L, rule.whole / before));
    }
    before = times(before, rule.level, rule.whole);
  }
  for (int i = spec.levels - 2; i >= 0; --i) {
    const Rule& next = rules[i + 1];
    const bool sub = spec::is_sub(next.level.strategy);
    rules[i].need = next.need * (sub ? next.size : 1);
    rules[i].scatter_need = next.scatter_need * (sub ? std::max(1, next.level.size) : 1);
  }
  return rules;
}

int team_size(const Machine& machine, const Rules& rules, int level, const Place& master) {
  if (level >= static_cast<int>(rules.size())) {
    return 0;
  }
  const spec::Level& says = rules[level].level;
  if (says.size > 0) {
    return says.size;
  }
  if (master.share.size() == machine.slots.size()) {
    return rules[level].whole;
  }
  if (says.object == spec::Object::kPu) {
    std::size_t processors = 0;
    for (const int slot : master.share) {
      processors += machine.slots[slot].cpus.size();
    }
    return static_cast<int>(processors);
  }
  const Partition& objects = machine.kinds[static_cast<int>(kind_of(says.object))];
  std::set<int> touched;
  for (const int slot : master.share) {
    if (objects.object_of[slot] >= 0) {
      touched.insert(objects.object_of[slot]);
    }
  }
  return std::max(1, static_cast<int>(touched.size()));
}

bool is_plain_inner(const Rules& rules, int level) {
  return level > 0 && level < static_cast<int>(rules.size()) &&
         !spec::is_sub(rules[level].level.strategy);
}

}  // namespace nestbind::plan
