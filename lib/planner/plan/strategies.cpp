// SPDX-License-Identifier: BSD-3-Clause
#include "plan/strategies.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

namespace nestbind::plan {

using machine::Machine;

namespace {

// The table of strategies, in the order of spec::Strategy.
constexpr std::array<Strategy, spec::kStrategies> kStrategies = {{
    {&Rule::scatter_need, scatter, scatter_others},
    {&Rule::need, compact, compact_others},
    {&Rule::scatter_need, scatter, nullptr},
    {&Rule::need, compact, nullptr},
}};

std::vector<int> nodes_around(const Machine& machine, int slot) {
  std::vector<int> around;
  for (int node = 0; node >= 0;) {
    around.push_back(node);
    const std::vector<int>& children = machine.nodes[node].children;
    const auto next = std::ranges::find_if(children, [&](int child) {
      return machine.nodes[child].begin <= slot && slot < machine.nodes[child].end;
    });
    node = next == children.end() ? -1 : *next;
  }
  return around;
}

void append_by_distance(const Machine& machine, int primary, const Slots& slots, Slots& order) {
  const int from = machine.slots[primary].numa_row;
  if (machine.numa_distance.empty() || from < 0) {
    order.insert(order.end(), slots.begin(), slots.end());
    return;
  }
  std::map<unsigned, Slots> at;
  for (const int slot : slots) {
    const int to = machine.slots[slot].numa_row;
    at[to < 0 ? 0 : machine.numa_distance[from][to]].push_back(slot);
  }
  for (const auto& [distance, alike] : at) {
    order.insert(order.end(), alike.begin(), alike.end());
  }
}

// Sorts by the smallest object that contains both slots, then by NUMA distance, then by number.
Slots nearest_first(const Machine& machine, const Slots& free, int primary) {
  Slots order;
  order.reserve(free.size());
  const auto first_from = [&](int slot) {
    return std::lower_bound(free.begin(), free.end(), slot);
  };
  auto inner_begin = first_from(primary);
  auto inner_end = inner_begin;
  const std::vector<int> around = nodes_around(machine, primary);
  for (auto node = around.rbegin(); node != around.rend(); ++node) {
    const auto begin = first_from(machine.nodes[*node].begin);
    const auto end = first_from(machine.nodes[*node].end);
    Slots here(begin, inner_begin);
    here.insert(here.end(), inner_end, end);
    append_by_distance(machine, primary, here, order);
    inner_begin = begin;
    inner_end = end;
  }
  return order;
}

Slots first_block(const Machine& machine, const Slots& part, long need) {
  if (static_cast<long>(part.size()) <= need) {
    return part;
  }
  return cut_blocks(machine, part, 1, need, false).front();
}

}  // namespace

const Strategy& meaning_of(spec::Strategy strategy) {
  return kStrategies[static_cast<int>(strategy)];
}

Slots without(const Slots& slots, const Slots& taken) {
  Slots rest;
  std::set_difference(slots.begin(), slots.end(), taken.begin(), taken.end(),
                      std::back_inserter(rest));
  return rest;
}

std::vector<Slots> scatter_others(const Machine& machine, const Slots& free, const Slots& own,
                                  int primary, int size, long need) {
  Slots set;
  std::merge(free.begin(), free.end(), own.begin(), own.end(), std::back_inserter(set));
  std::vector<Slots> parts = scatter(machine, set, size, need);
  const auto primaries = std::find_if(parts.begin(), parts.end(), [&](const Slots& part) {
    return std::binary_search(part.begin(), part.end(), primary);
  });
  parts.erase(primaries == parts.end() ? parts.begin() : primaries);
  const bool enough = times(size - 1, need) <= static_cast<long>(free.size());
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

std::vector<Slots> compact_others(const Machine& machine, const Slots& free, const Slots&,
                                  int primary, int size, long need) {
  if (times(size - 1, need) > static_cast<long>(free.size())) {
    return divide_by_number(free, size - 1);
  }
  std::vector<Slots> blocks =
      cut_blocks(machine, nearest_first(machine, free, primary), size - 1, need, false);
  for (Slots& block : blocks) {
    std::sort(block.begin(), block.end());
  }
  return blocks;
}

}  // namespace nestbind::plan
