// SPDX-License-Identifier: BSD-3-Clause
#include "memory/module/members.hpp"

#include <algorithm>

namespace nestbind::memory::module {

namespace {

// An empty mask means all processors.
std::vector<int> nodes_of(const CpuMask& mask, const kernel::Nodes& nodes) {
  std::vector<int> found;
  if (mask.bits != nullptr) {
    mask::each(mask, [&](int processor) { found.push_back(nodes.of(processor)); });
  }
  if (found.empty()) {
    std::ranges::copy_if(nodes.of_processor, std::back_inserter(found),
                         [](int node) { return node >= 0; });
  }
  return found.empty() ? nodes.numbers : found;
}

}  // namespace

std::vector<int> nodes_of_partition(const Caller& caller, const kernel::Nodes& nodes,
                                    const kernel::NodeSet& allowed) {
  const std::vector<int> own = nodes_of(caller.partition, nodes);
  std::vector<int> all;
  std::ranges::copy_if(nodes.numbers, std::back_inserter(all),
                       [&](int node) { return allowed.has(node); });
  std::vector<int> usable;
  std::ranges::copy_if(all, std::back_inserter(usable),
                       [&](int node) { return std::ranges::find(own, node) != own.end(); });
  return !usable.empty() ? usable : !all.empty() ? all : nodes.numbers;
}

std::vector<spread::Member> members_of(const Caller& caller, const kernel::Nodes& nodes) {
  const auto count = static_cast<std::size_t>(std::max(caller.members, 1));
  std::vector<spread::Member> members;
  if (caller.places == nullptr) {
    members = spread::equal_members(nodes_of(caller.partition, nodes), count);
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      members.push_back(nodes_of(caller.places[i], nodes));
    }
  }
  for (spread::Member& member : members) {
    std::ranges::sort(member);
  }
  return members;
}

}  // namespace nestbind::memory::module
