// SPDX-License-Identifier: BSD-3-Clause
#include "plan/parts.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "plan/strategies.hpp"
#include "plan/teams.hpp"

namespace nestbind::plan {

namespace {

// Returns the slots of each kind of cores, the fastest kind first. A kind with fewer cores than
// parts is together with the next slower kind, or with the next faster one if it is the slowest.
std::vector<Slots> kinds_to_divide(const machine::Machine& machine, int parts) {
  std::map<int, Slots, std::greater<>> of_speed;
  for (const int slot : root_slot(machine).partition) {
    of_speed[machine.slots[slot].speed].push_back(slot);
  }
  const auto is_small = [&](const Slots& kind) { return std::ssize(kind) < parts; };
  std::vector<Slots> kinds;
  for (const auto& [speed, slots] : of_speed) {
    if (kinds.empty() || !is_small(kinds.back())) {
      kinds.emplace_back();
    }
    kinds.back().insert(kinds.back().end(), slots.begin(), slots.end());
  }
  if (kinds.size() > 1 && is_small(kinds.back())) {
    kinds[kinds.size() - 2].insert(kinds[kinds.size() - 2].end(), kinds.back().begin(),
                                   kinds.back().end());
    kinds.pop_back();
  }
  for (Slots& kind : kinds) {
    std::ranges::sort(kind);
  }
  return kinds;
}

}  // namespace

std::vector<std::vector<int>> make_parts(const machine::Topology& topology, int parts, long slots,
                                         bool needs_all, machine::CoreChoice cores) {
  // If there are enough cores, each core is one slot.
  const long most = topology.count(machine::Kind::kCore, cores);
  const long wanted = needs_all ? most : std::min(most, times(parts, slots));
  const machine::Machine machine = topology.slots({std::max<long>(parts, wanted), 0, cores});
  std::vector<std::vector<int>> cpus(parts);
  std::vector<int> order(parts);
  std::iota(order.begin(), order.end(), 0);
  std::vector<std::size_t> size(parts, 0);
  for (const Slots& kind : kinds_to_divide(machine, parts)) {
    const std::vector<Slots> shares = scatter(machine, kind, parts, slots);
    std::vector<int> share_of(parts);
    std::iota(share_of.begin(), share_of.end(), 0);
    // The largest share goes to the smallest part. So the sums differ less than the shares.
    if (std::ranges::adjacent_find(size, std::not_equal_to()) != size.end() &&
        std::ranges::adjacent_find(shares, std::not_equal_to(), &Slots::size) != shares.end()) {
      std::ranges::sort(share_of, {}, [&](int i) { return std::pair(-std::ssize(shares[i]), i); });
      std::ranges::sort(order, {}, [&](int part) { return std::pair(size[part], part); });
    }
    for (int i = 0; i < parts; ++i) {
      const Slots& share = shares[share_of[i]];
      size[order[i]] += share.size();
      for (const int slot : share) {
        const std::vector<int>& more = machine.slots[slot].cpus;
        cpus[order[i]].insert(cpus[order[i]].end(), more.begin(), more.end());
      }
    }
  }
  for (std::vector<int>& own : cpus) {
    std::ranges::sort(own);
  }
  return cpus;
}

std::string sharing(const std::vector<std::vector<int>>& parts) {
  std::set<int> all;
  std::size_t count = 0;
  for (const std::vector<int>& part : parts) {
    all.insert(part.begin(), part.end());
    count += part.size();
  }
  return count == all.size()
             ? ""
             : std::to_string(parts.size()) + " ranks share " + std::to_string(all.size()) +
                   (all.size() == 1 ? " processor" : " processors");
}

}  // namespace nestbind::plan
