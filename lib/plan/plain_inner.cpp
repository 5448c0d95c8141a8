// SPDX-License-Identifier: BSD-3-Clause
// Plain scatter and compact at an inner level: teams that draw on the whole machine, in path order,
// beside the slots that the masters of the level keep.
#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "plan/divide.hpp"
#include "plan/plan.hpp"

namespace nestbind::plan {

using machine::Machine;

namespace {

Slots first(const Slots& slots, long count) {
  return {slots.begin(), slots.begin() + std::min<long>(count, static_cast<long>(slots.size()))};
}

Slots without(const Slots& slots, const Slots& taken) {
  Slots rest;
  std::set_difference(slots.begin(), slots.end(), taken.begin(), taken.end(),
                      std::back_inserter(rest));
  return rest;
}

// `free` without what several shares have taken.
Slots without_all(const Machine& machine, const Slots& free, const std::vector<Slots>& taken) {
  std::vector<bool> is_taken(machine.slots.size(), false);
  for (const Slots& share : taken) {
    for (const int slot : share) {
      is_taken[slot] = true;
    }
  }
  Slots rest;
  rest.reserve(free.size());
  std::copy_if(free.begin(), free.end(), std::back_inserter(rest),
               [&](int slot) { return !is_taken[slot]; });
  return rest;
}

// The objects around a slot, the machine first.
std::vector<int> nodes_around(const Machine& machine, int slot) {
  std::vector<int> around;
  for (int node = 0; node >= 0;) {
    around.push_back(node);
    int next = -1;
    for (const int child : machine.nodes[node].children) {
      if (machine.nodes[child].begin <= slot && slot < machine.nodes[child].end) {
        next = child;
      }
    }
    node = next;
  }
  return around;
}

// Appends slots by the distance of their NUMA nodes from the master's, and in turn by number.
void append_by_distance(const Machine& machine, int master, const Slots& slots, Slots& order) {
  const int from = machine.slots[master].numa;
  if (machine.numa_distance.empty() || from < 0) {
    order.insert(order.end(), slots.begin(), slots.end());
    return;
  }
  std::map<unsigned, Slots> at;
  for (const int slot : slots) {
    const int to = machine.slots[slot].numa;
    at[to < 0 ? 0 : machine.numa_distance[from][to]].push_back(slot);
  }
  for (const auto& [distance, alike] : at) {
    order.insert(order.end(), alike.begin(), alike.end());
  }
}

// The free slots, the nearest to the master first: by the smallest object shared with it, then by
// NUMA distance, then by number. Of an object those are next that no smaller one has.
Slots nearest_first(const Machine& machine, const Slots& free, int master) {
  Slots order;
  order.reserve(free.size());
  const auto first_from = [&](int slot) {
    return std::lower_bound(free.begin(), free.end(), slot);
  };
  auto inner_begin = first_from(master);
  auto inner_end = inner_begin;
  const std::vector<int> around = nodes_around(machine, master);
  for (auto node = around.rbegin(); node != around.rend(); ++node) {
    const auto begin = first_from(machine.nodes[*node].begin);
    const auto end = first_from(machine.nodes[*node].end);
    Slots here(begin, inner_begin);
    here.insert(here.end(), inner_end, end);
    append_by_distance(machine, master, here, order);
    inner_begin = begin;
    inner_end = end;
  }
  return order;
}

// The first block that compact would cut from a part, or all of a smaller one.
Slots first_block(const Machine& machine, const Slots& part, long need) {
  if (static_cast<long>(part.size()) <= need) {
    return part;
  }
  return cut_blocks(machine, part, 1, need, false).front();
}

// The shares of threads 1, 2, ... of a scattered team.
std::vector<Slots> scatter_others(const Machine& machine, const Slots& free, const Slots& own,
                                  int master, int size, long need) {
  Slots set;
  std::merge(free.begin(), free.end(), own.begin(), own.end(), std::back_inserter(set));
  std::vector<Slots> parts = scatter(machine, set, size, need);
  const auto masters = std::find_if(parts.begin(), parts.end(), [&](const Slots& part) {
    return std::binary_search(part.begin(), part.end(), master);
  });
  parts.erase(masters == parts.end() ? parts.begin() : masters);
  const bool enough = (size - 1) * need <= static_cast<long>(free.size());
  bool uneven = false;
  for (Slots& part : parts) {
    part = without(part, own);
    uneven = uneven || part.empty() || (enough && static_cast<long>(part.size()) < need);
  }
  if (uneven) {
    parts = divide_by_number(free, size - 1);
  }
  for (Slots& part : parts) {
    part = first_block(machine, part, need);
  }
  return parts;
}

// The shares of threads 1, 2, ... of a compact team.
std::vector<Slots> compact_others(const Machine& machine, const Slots& free, int master, int size,
                                  long need) {
  if ((size - 1) * need > static_cast<long>(free.size())) {
    return divide_by_number(free, size - 1);
  }
  std::vector<Slots> blocks =
      cut_blocks(machine, nearest_first(machine, free, master), size - 1, need, false);
  for (Slots& block : blocks) {
    std::sort(block.begin(), block.end());
  }
  return blocks;
}

}  // namespace

std::vector<Team> plan_level(const Machine& machine, const Rules& rules, int level,
                             const std::vector<Place>& masters, const std::vector<int>& sizes) {
  const Rule& rule = rules[level];
  const Slots all = root_place(machine).share;
  std::vector<Slots> kept;
  kept.reserve(masters.size());
  for (const Place& master : masters) {
    kept.push_back(first(master.share, rule.need));
  }
  Slots free = without_all(machine, all, kept);
  std::vector<Team> teams;
  teams.reserve(masters.size());
  for (std::size_t m = 0; m < masters.size(); ++m) {
    const Place& master = masters[m];
    const int size = sizes[m];
    const Slots& own = kept[m];
    Slots usable = without(free, own);
    if (size == 1) {
      teams.push_back({master});
      free = usable;
      continue;
    }
    if (static_cast<int>(usable.size()) < size - 1) {
      usable = without(all, own);
    }
    std::vector<Slots> shares;
    if (usable.empty()) {
      shares.assign(size - 1, {master.slot});
    } else if (size - 1 > static_cast<int>(usable.size())) {
      shares = divide_by_number(usable, size - 1);
    } else if (spec::is_scatter(rule.level.strategy)) {
      shares = scatter_others(machine, usable, own, master.slot, size, rule.need);
    } else {
      shares = compact_others(machine, usable, master.slot, size, rule.need);
    }
    // The team's slots, its master's own among them, are not free for later teams.
    free = without_all(machine, usable, shares);
    Team team;
    team.reserve(size);
    team.push_back({master.slot, own});
    for (Slots& share : shares) {
      team.push_back({share.front(), std::move(share)});
    }
    teams.push_back(std::move(team));
  }
  return teams;
}

}  // namespace nestbind::plan
