// SPDX-License-Identifier: BSD-3-Clause
// Plans teams in their primary thread's partition (plain_inner.cpp plans all other teams).
#include "plan/teams.hpp"

#include <algorithm>
#include <numeric>

#include "machine/partition.hpp"
#include "plan/strategies.hpp"

namespace nestbind::plan {

using machine::Machine;
using machine::Partition;

namespace {

const Order::Positions* find(const Order::Teams& teams, const std::vector<int>& primary, int size) {
  const auto team = teams.find(primary);
  const bool fits = team != teams.end() && team->second.size() == static_cast<std::size_t>(size);
  return fits ? &team->second : nullptr;
}

// If `object` is -1, returns the whole partition.
Slots inside(const Slots& partition, const Partition& objects, int object) {
  if (object < 0) {
    return partition;
  }
  Slots part;
  for (const int slot : partition) {
    if (objects.object_of[slot] == object) {
      part.push_back(slot);
    }
  }
  return part;
}

// Adds one object after the other, from `first` on, until `size` blocks of `need` slots fit.
Slots inside_following(const Slots& partition, const Partition& topmost, int first, long size,
                       long need) {
  Slots part;
  long needs = 0;
  for (int object = first; object < static_cast<int>(topmost.slots_in.size()); ++object) {
    const Slots more = inside(partition, topmost, object);
    part.insert(part.end(), more.begin(), more.end());
    needs += static_cast<long>(more.size()) / need;
    if (needs >= size) {
      return part;
    }
  }
  return {};
}

Slots default_domain(const Machine& machine, const Rule& rule, const PlannedSlot& primary,
                     int size) {
  const auto fits = [&](const Slots& slots) {
    return static_cast<long>(slots.size()) >= times(size, rule.need);
  };
  if (rule.level.has_domain) {
    const Partition& objects = machine.kinds[static_cast<int>(rule.level.domain)];
    const Slots part = inside(primary.partition, objects, objects.object_of[primary.slot]);
    return fits(part) ? part : primary.partition;
  }
  const int topmost = machine.topmost.object_of[primary.slot];
  if (topmost < 0) {
    return primary.partition;
  }
  Slots in_topmost = inside(primary.partition, machine.topmost, topmost);
  Slots in_node;
  for (const int slot : in_topmost) {
    if (machine.slots[slot].numa == machine.slots[primary.slot].numa) {
      in_node.push_back(slot);
    }
  }
  if (fits(in_node)) {
    return in_node;
  }
  if (fits(in_topmost)) {
    return in_topmost;
  }
  Slots following = inside_following(primary.partition, machine.topmost, topmost, size, rule.need);
  return following.empty() ? primary.partition : following;
}

// Plans a team at a level without a rule, and pins only its primary thread. The other threads use
// the partition of the primary thread. If this partition is smaller than the team, the other
// threads use the whole topmost object. Without a topmost object they use all slots.
Team beyond_rules(const Machine& machine, const PlannedSlot& primary, int size) {
  PlannedSlot anywhere = primary;
  anywhere.pinned = false;
  if (static_cast<int>(primary.partition.size()) < size && primary.pinned) {
    anywhere.partition = inside(root_slot(machine).partition, machine.topmost,
                                machine.topmost.object_of[primary.slot]);
  }
  Team team(size, anywhere);
  team[0] = primary;
  return team;
}

// The members may fork teams of their own. So the unused slots of the partition are divided: member
// i of T gets every T-th slot.
void deal_the_rest(const PlannedSlot& primary, const Slots& set, Team& team) {
  Slots order = set;
  const Slots rest = without(primary.partition, set);
  order.insert(order.end(), rest.begin(), rest.end());
  for (std::size_t i = team.size(); i < order.size(); ++i) {
    PlannedSlot& member = team[i % team.size()];
    if (order[i] > member.slot) {
      member.partition.push_back(order[i]);
    }
  }
  for (PlannedSlot& member : team) {
    std::ranges::sort(member.partition);
  }
}

}  // namespace

const Order::Positions* Order::positions_of(const Path& path, int size) const {
  if (is_plain()) {
    return nullptr;
  }
  std::vector<int> primary;
  for (const Step& step : path) {
    primary.push_back(step.number);
  }
  return find(teams_, primary, size);
}

Path Order::planned(const Path& path) const {
  if (is_plain()) {
    return path;
  }
  Path planned = path;
  std::vector<int> primary;
  for (Step& step : planned) {
    const Positions* const positions = find(teams_, primary, step.size);
    primary.push_back(step.number);
    step.number = positions == nullptr ? step.number : (*positions)[step.number];
  }
  return planned;
}

PlannedSlot root_slot(const Machine& machine) {
  PlannedSlot root;
  root.partition.resize(machine.slots.size());
  std::iota(root.partition.begin(), root.partition.end(), 0);
  return root;
}

bool may_share(const Machine& machine, const Rules& rules, int level, const PlannedSlot& primary,
               long threads) {
  const Rule* const rule = rule_of(rules, level);
  std::size_t processors = 0;
  for (const int slot : primary.partition) {
    processors += machine.slots[slot].cpus.size();
  }
  return rule != nullptr && rule->level.is_star && threads <= static_cast<long>(processors);
}

int team_size(const Machine& machine, const Rules& rules, int level, const PlannedSlot& primary) {
  if (level >= static_cast<int>(rules.size())) {
    return 0;
  }
  const spec::Level& says = rules[level].level;
  if (says.size > 0) {
    return says.size;
  }
  if (primary.partition.size() == machine.slots.size()) {
    return rules[level].whole;
  }
  if (says.object == spec::Kind::kPu) {
    std::size_t processors = 0;
    for (const int slot : primary.partition) {
      processors += machine.slots[slot].cpus.size();
    }
    return static_cast<int>(processors);
  }
  return machine::count_objects(machine.kinds[static_cast<int>(says.object)], primary.partition);
}

Team plan_team(const Machine& machine, const Rules& rules, int level, const PlannedSlot& primary,
               int size) {
  if (size == 1) {
    return {primary};
  }
  const Rule* const found = rule_of(rules, level);
  if (found == nullptr) {
    return beyond_rules(machine, primary, size);
  }
  const Rule& rule = *found;
  const Strategy& strategy = meaning_of(rule.level.strategy);
  const Slots set = stays_in_default_domain(rule.level.strategy)
                        ? default_domain(machine, rule, primary, size)
                        : primary.partition;
  std::vector<Slots> parts = strategy.divide(machine, set, size, rule.*strategy.need);
  Team team(size);
  for (int i = 0; i < size; ++i) {
    team[i].slot = parts[i].front();
    team[i].partition = std::move(parts[i]);
  }
  if (rule.repeats && size <= static_cast<int>(set.size())) {
    deal_the_rest(primary, set, team);
  }
  return team;
}

}  // namespace nestbind::plan
