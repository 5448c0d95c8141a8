// SPDX-License-Identifier: BSD-3-Clause
// Teams that stay within their master's share: the first level, the sub strategies, and teams
// beyond the specification.
#include "plan/teams.hpp"

#include <numeric>

#include "machine/partition.hpp"
#include "plan/strategies.hpp"

namespace nestbind::plan {

using machine::Machine;
using machine::Partition;

Seat root_seat(const Machine& machine) {
  Seat root;
  root.share.resize(machine.slots.size());
  std::iota(root.share.begin(), root.share.end(), 0);
  return root;
}

namespace {

// The part of `share` inside an object; all of it, if the object is none.
Slots inside(const Slots& share, const Partition& objects, int object) {
  if (object < 0) {
    return share;
  }
  Slots part;
  for (const int slot : share) {
    if (objects.object_of[slot] == object) {
      part.push_back(slot);
    }
  }
  return part;
}

// The part of `share` inside the topmost object and as many of those that follow it as hold `size`
// whole needs; empty where all that follow do not.
Slots inside_following(const Slots& share, const Partition& topmost, int first, long size,
                       long need) {
  Slots part;
  long needs = 0;
  for (int object = first; object < static_cast<int>(topmost.slots_in.size()); ++object) {
    const Slots more = inside(share, topmost, object);
    part.insert(part.end(), more.begin(), more.end());
    needs += static_cast<long>(more.size()) / need;
    if (needs >= size) {
      return part;
    }
  }
  return {};
}

Slots home(const Machine& machine, const Rule& rule, const Seat& master, int size) {
  const auto fits = [&](const Slots& slots) {
    return static_cast<long>(slots.size()) >= size * rule.need;
  };
  if (rule.level.has_domain) {
    const Partition& objects = machine.kinds[static_cast<int>(rule.level.domain)];
    const Slots part = inside(master.share, objects, objects.object_of[master.slot]);
    return fits(part) ? part : master.share;
  }
  const int topmost = machine.topmost.object_of[master.slot];
  if (topmost < 0) {
    return master.share;
  }
  Slots in_topmost = inside(master.share, machine.topmost, topmost);
  Slots in_node;
  for (const int slot : in_topmost) {
    if (machine.slots[slot].numa == machine.slots[master.slot].numa) {
      in_node.push_back(slot);
    }
  }
  if (fits(in_node)) {
    return in_node;
  }
  if (fits(in_topmost)) {
    return in_topmost;
  }
  Slots following = inside_following(master.share, machine.topmost, topmost, size, rule.need);
  return following.empty() ? master.share : following;
}

// Members other than the master are not pinned: anywhere in its share, or, where that has fewer
// slots than the team, in the topmost object around it, or in the whole machine, if it has none.
Team beyond_rules(const Machine& machine, const Seat& master, int size) {
  Seat anywhere = master;
  anywhere.pinned = false;
  if (static_cast<int>(master.share.size()) < size && master.pinned) {
    anywhere.share =
        inside(root_seat(machine).share, machine.topmost, machine.topmost.object_of[master.slot]);
  }
  Team team(size, anywhere);
  team[0] = master;
  return team;
}

}  // namespace

int team_size(const Machine& machine, const Rules& rules, int level, const Seat& master) {
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
  if (says.object == spec::Kind::kPu) {
    std::size_t processors = 0;
    for (const int slot : master.share) {
      processors += machine.slots[slot].cpus.size();
    }
    return static_cast<int>(processors);
  }
  return machine::count_objects(machine.kinds[static_cast<int>(says.object)], master.share);
}

Team plan_team(const Machine& machine, const Rules& rules, int level, const Seat& master,
               int size) {
  if (size == 1) {
    return {master};
  }
  if (level >= static_cast<int>(rules.size())) {
    return beyond_rules(machine, master, size);
  }
  const Rule& rule = rules[level];
  const Strategy& strategy = meaning_of(rule.level.strategy);
  const Slots set =
      stays_home(rule.level.strategy) ? home(machine, rule, master, size) : master.share;
  std::vector<Slots> parts = strategy.divide(machine, set, size, rule.*strategy.need);
  Team team(size);
  for (int i = 0; i < size; ++i) {
    team[i].slot = parts[i].front();
    team[i].share = std::move(parts[i]);
  }
  return team;
}

}  // namespace nestbind::plan
