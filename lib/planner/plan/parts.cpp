// SPDX-License-Identifier: BSD-3-Clause
#include "plan/parts.hpp"

#include <algorithm>
#include <set>

#include "plan/strategies.hpp"
#include "plan/teams.hpp"

namespace nestbind::plan {

std::vector<std::vector<int>> make_parts(const machine::Topology& topology, int parts, long slots,
                                         bool needs_all, machine::CoreChoice cores) {
  // If there are enough cores, each core is one slot.
  const long most = topology.count(machine::Kind::kCore, cores);
  const long wanted = needs_all ? most : std::min(most, times(parts, slots));
  const machine::Machine machine = topology.slots({std::max<long>(parts, wanted), 0, cores});
  std::vector<std::vector<int>> cpus;
  for (const Slots& part : scatter(machine, root_slot(machine).partition, parts, slots)) {
    std::vector<int>& own = cpus.emplace_back();
    for (const int slot : part) {
      own.insert(own.end(), machine.slots[slot].cpus.begin(), machine.slots[slot].cpus.end());
    }
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
