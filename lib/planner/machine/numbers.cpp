// SPDX-License-Identifier: BSD-3-Clause
#include "machine/numbers.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>

namespace nestbind::machine {

namespace {

// Numbers the objects of a type as hwloc does: from left to right, the order in `hardware`.
std::vector<int> by_type(const Hardware& hardware, Type type) {
  std::vector<int> number(hardware.cpus.size(), -1);
  int next = 0;
  for (const Object& object : hardware.objects) {
    if (object.type == type) {
      std::fill(number.begin() + object.begin, number.begin() + object.end, next++);
    }
  }
  return number;
}

std::vector<int> allowed(const Hardware& hardware, const std::vector<int>& of_all) {
  std::vector<int> rest;
  for (std::size_t p = 0; p < of_all.size(); ++p) {
    if (hardware.is_allowed[p]) {
      rest.push_back(of_all[p]);
    }
  }
  return rest;
}

}  // namespace

std::vector<int> smallest_numa_nodes(const Hardware& hardware) {
  std::vector<int> number(hardware.cpus.size(), -1);
  const auto& nodes = hardware.numa_processors;
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    for (const int p : nodes[node]) {
      if (number[p] < 0 || nodes[node].size() < nodes[number[p]].size()) {
        number[p] = static_cast<int>(node);
      }
    }
  }
  return number;
}

Numbers number_allowed(const Hardware& whole) {
  const std::vector<int> none(whole.cpus.size(), -1);
  const std::vector<int> logical = allowed(whole, smallest_numa_nodes(whole));
  std::vector<int> numa;
  std::ranges::transform(logical, std::back_inserter(numa),
                         [&](int node) { return numa_number(whole, node); });
  return {allowed(whole, whole.has_cores ? by_type(whole, Type::kCore) : none),
          allowed(whole, by_type(whole, Type::kL2)),
          allowed(whole, by_type(whole, Type::kL3)),
          allowed(whole, by_type(whole, Type::kPackage)),
          numa,
          logical};
}

NumaNodes make_numa_nodes(const Hardware& whole) {
  NumaNodes nodes;
  std::map<int, int> logical;
  for (const int node : smallest_numa_nodes(whole)) {
    logical[numa_number(whole, node)] = node;
  }
  logical.erase(-1);
  for (const auto& [number, node] : logical) {
    nodes.numbers.push_back(number);
    nodes.logical.push_back(node);
  }
  if (whole.numa_distance.empty()) {
    return nodes;
  }
  nodes.in_ns = whole.numa_distance_in_ns;
  for (const int from : nodes.logical) {
    auto& row = nodes.distance.emplace_back();
    for (const int to : nodes.logical) {
      row.push_back(whole.numa_distance[from][to]);
    }
  }
  return nodes;
}

}  // namespace nestbind::machine
