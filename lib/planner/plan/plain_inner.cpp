// SPDX-License-Identifier: BSD-3-Clause
// Plans the inner teams of scatter and compact. Each team gets slots of the whole machine, in path
// order. The primary threads keep their slots.
#include <algorithm>
#include <iterator>
#include <utility>

#include "plan/strategies.hpp"
#include "plan/teams.hpp"

namespace nestbind::plan {

using machine::Machine;

namespace {

Slots first(const Slots& slots, long count) {
  return {slots.begin(), slots.begin() + std::min<long>(count, static_cast<long>(slots.size()))};
}

Slots without_all(const Machine& machine, const Slots& free, const std::vector<Slots>& taken) {
  std::vector<bool> is_taken(machine.slots.size(), false);
  for (const Slots& partition : taken) {
    for (const int slot : partition) {
      is_taken[slot] = true;
    }
  }
  Slots rest;
  rest.reserve(free.size());
  std::copy_if(free.begin(), free.end(), std::back_inserter(rest),
               [&](int slot) { return !is_taken[slot]; });
  return rest;
}

}  // namespace

std::vector<Team> plan_level(const Machine& machine, const Rules& rules, int level,
                             const std::vector<PlannedSlot>& primaries,
                             const std::vector<int>& sizes) {
  const Rule& rule = rules[level];
  const Slots all = root_slot(machine).partition;
  std::vector<Slots> kept;
  kept.reserve(primaries.size());
  for (const PlannedSlot& primary : primaries) {
    kept.push_back(first(primary.partition, rule.need));
  }
  Slots free = without_all(machine, all, kept);
  std::vector<Team> teams;
  teams.reserve(primaries.size());
  for (std::size_t m = 0; m < primaries.size(); ++m) {
    const PlannedSlot& primary = primaries[m];
    const int size = sizes[m];
    const Slots& own = kept[m];
    Slots usable = without(free, own);
    if (size == 1) {
      teams.push_back({primary});
      free = usable;
      continue;
    }
    if (static_cast<int>(usable.size()) < size - 1) {
      usable = without(all, own);
    }
    std::vector<Slots> partitions;
    if (usable.empty()) {
      partitions.assign(size - 1, {primary.slot});
    } else if (size - 1 > static_cast<int>(usable.size())) {
      partitions = divide_by_number(usable, size - 1);
    } else {
      partitions = meaning_of(rule.level.strategy)
                       .others(machine, usable, own, primary.slot, size, rule.need);
    }
    free = without_all(machine, usable, partitions);
    Team team;
    team.reserve(size);
    team.push_back({primary.slot, own});
    for (Slots& partition : partitions) {
      team.push_back({partition.front(), std::move(partition)});
    }
    teams.push_back(std::move(team));
  }
  return teams;
}

}  // namespace nestbind::plan
