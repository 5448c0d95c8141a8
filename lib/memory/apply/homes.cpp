// SPDX-License-Identifier: BSD-3-Clause
#include "memory/apply/homes.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

namespace nestbind::memory::apply {
namespace {

// Of a unit, by some of its pages; samples: by node.
int home_of(std::span<const int> nodes, std::span<const std::uint32_t> samples) {
  const auto user = std::ranges::find_if(samples, [](std::uint32_t one) { return one > 0; });
  const auto next = std::find_if(user == samples.end() ? user : std::next(user), samples.end(),
                                 [](std::uint32_t one) { return one > 0; });
  if (user != samples.end() && next == samples.end()) {
    const auto number = static_cast<int>(user - samples.begin());
    const auto away =
        std::ranges::find_if(nodes, [&](int node) { return node != kNoNode && node != number; });
    return away != nodes.end() ? *away : most_of(nodes);
  }
  return most_of(nodes);
}

}  // namespace

int most_of(std::span<const int> nodes) {
  int most = kNoNode;
  std::ptrdiff_t count = 0;
  for (const int node : nodes) {
    const std::ptrdiff_t alike = node == kNoNode ? 0 : std::ranges::count(nodes, node);
    if (alike > count) {
      count = alike;
      most = node;
    }
  }
  return most;
}

void probe_homes(World& world, Seen& seen) {
  constexpr std::size_t kProbes = 4;
  std::vector<std::uintptr_t> pages;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    for (std::size_t probe = 0; probe < kProbes; ++probe) {
      pages.push_back(seen.unit(i).begin + probe * seen.unit(i).bytes / kProbes);
    }
  }
  std::vector<int> nodes(pages.size(), kNoNode);
  world.find_nodes(pages, nodes);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    seen.set_home(i, home_of(std::span(nodes).subspan(i * kProbes, kProbes), seen.samples(i)));
  }
}

void find_hidden_homes(World& world, std::size_t page, Seen& seen) {
  constexpr int kMost = 256;  // units: each takes the kernel a call
  std::vector<int> nodes;
  int left = kMost;
  for (std::size_t i = 0; i < seen.size() && left > 0; ++i) {
    if (seen.home(i) == kNoNode) {
      const Unit& unit = seen.unit(i);
      nodes.assign(unit.bytes / page, kNoNode);
      world.find_all_nodes({unit.begin, unit.end()}, nodes);
      seen.set_home(i, most_of(nodes));
      --left;
    }
  }
}

}  // namespace nestbind::memory::apply
