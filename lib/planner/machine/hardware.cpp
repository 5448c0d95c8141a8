// SPDX-License-Identifier: BSD-3-Clause
// Removes processors that are not allowed. hwloc rebuilds its levels if it removes processors.
#include "machine/hardware.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <set>

namespace nestbind::machine {

int numa_number(const Hardware& hardware, int logical) {
  const auto at = static_cast<std::size_t>(logical);
  return at < hardware.numa_numbers.size() ? hardware.numa_numbers[at] : logical;
}

bool use_probed_distances(Hardware& hardware) {
  if (hardware.probed_distance.empty()) {
    return false;
  }
  hardware.numa_distance = hardware.probed_distance;
  hardware.numa_distance_in_ns = true;
  return true;
}

void allow_only(Hardware& whole, std::vector<int> cpus) {
  std::ranges::sort(cpus);
  for (std::size_t p = 0; p < whole.cpus.size(); ++p) {
    whole.is_allowed[p] = whole.is_allowed[p] && std::ranges::binary_search(cpus, whole.cpus[p]);
  }
}

Hardware restrict_to_allowed(const Hardware& whole) {
  // The number of allowed processors before each processor.
  std::vector<int> before(whole.cpus.size() + 1, 0);
  std::inclusive_scan(whole.is_allowed.begin(), whole.is_allowed.end(), before.begin() + 1,
                      std::plus<int>(), 0);
  Hardware rest;
  rest.has_cores = whole.has_cores;
  for (std::size_t p = 0; p < whole.cpus.size(); ++p) {
    if (whole.is_allowed[p]) {
      rest.cpus.push_back(whole.cpus[p]);
      if (!whole.speed.empty()) {
        rest.speed.push_back(whole.speed[p]);
      }
    }
  }
  rest.is_allowed.assign(rest.cpus.size(), true);

  std::vector<int> new_index(whole.objects.size(), -1);
  for (std::size_t i = 0; i < whole.objects.size(); ++i) {
    if (before[whole.objects[i].begin] < before[whole.objects[i].end]) {
      new_index[i] = static_cast<int>(rest.objects.size());
      rest.objects.push_back(whole.objects[i]);
    }
  }
  for (Object& object : rest.objects) {
    object.begin = before[object.begin];
    object.end = before[object.end];
    for (int& child : object.children) {
      child = new_index[child];
    }
    std::erase(object.children, -1);
  }
  return rest;
}

namespace {

using Fault = const char*;

static_assert(kMostProcessors == 8192 && kDeepest == 100, "the texts say so");

Fault fault_of_processors(const Hardware& hardware) {
  const std::size_t processors = hardware.cpus.size();
  if (processors == 0) {
    return "it has no processors";
  }
  if (processors > kMostProcessors) {
    return "it has more than 8192 processors";
  }
  if (hardware.is_allowed.size() != processors ||
      (!hardware.speed.empty() && hardware.speed.size() != processors)) {
    return "a list lacks an entry for a processor";
  }
  std::vector<bool> is_known(kMostProcessors, false);
  for (const int cpu : hardware.cpus) {
    if (cpu < 0 || cpu >= kMostProcessors) {
      return "a processor has a number of 8192 or more";
    }
    if (is_known[cpu]) {
      return "two processors have the same number";
    }
    is_known[cpu] = true;
  }
  return std::ranges::find(hardware.is_allowed, true) == hardware.is_allowed.end()
             ? "none of its processors may be used"
             : nullptr;
}

Fault fault_of_child(const Object& child, const Object& parent, int behind) {
  if (child.begin < behind || child.end < child.begin || child.end > parent.end) {
    return "an object is not within the one around it, or overlaps another";
  }
  return child.level <= parent.level ? "an object is not on a deeper level than its parent"
                                     : nullptr;
}

Fault fault_of_tree(const Hardware& hardware) {
  const std::vector<Object>& objects = hardware.objects;
  if (objects.empty() || objects[0].begin != 0 || objects[0].level < 0 ||
      objects[0].end != static_cast<int>(hardware.cpus.size())) {
    return "no object has all processors";
  }
  std::vector<bool> has_parent(objects.size(), false);
  has_parent[0] = true;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (!has_parent[i]) {
      return "an object is in none of the objects before it";
    }
    int behind = objects[i].begin;
    for (const int child : objects[i].children) {
      if (child <= static_cast<int>(i) || child >= static_cast<int>(objects.size()) ||
          has_parent[child]) {
        return "an object is in none of the objects before it, or in several";
      }
      if (Fault fault = fault_of_child(objects[child], objects[i], behind)) {
        return fault;
      }
      has_parent[child] = true;
      behind = objects[child].end;
    }
  }
  return nullptr;
}

Fault fault_of_levels(const std::vector<Object>& objects) {
  std::array<const Object*, kDeepest + 1> first_on{};
  for (const Object& object : objects) {
    if (object.level > kDeepest) {
      return "objects are nested on more than 100 levels";
    }
    const Object*& first = first_on[object.level];
    first = first == nullptr ? &object : first;
    if (object.type != first->type) {
      return "a level has objects of several types";
    }
  }
  return nullptr;
}

Fault fault_of_cores(const Hardware& hardware) {
  std::vector<bool> is_in_core(hardware.cpus.size(), false);
  for (const Object& object : hardware.objects) {
    for (int p = object.begin; object.type == Type::kCore && p < object.end; ++p) {
      if (is_in_core[p]) {
        return "a processor is in several cores";
      }
      is_in_core[p] = true;
    }
  }
  return std::ranges::find(is_in_core, false) != is_in_core.end() ? "a processor is in no core"
                                                                  : nullptr;
}

Fault fault_of_numbers(const std::vector<int>& processors, std::size_t count) {
  const bool is_ascending =
      std::ranges::adjacent_find(processors, std::greater_equal<>()) == processors.end();
  const bool is_in_range = processors.empty() ||
                           (processors.front() >= 0 && processors.back() < static_cast<int>(count));
  return is_ascending && is_in_range ? nullptr
                                     : "a NUMA node has processors that are not the machine's";
}

// Visits nodes from large to small. Each node must lie inside an earlier node, or overlap none.
Fault fault_of_nesting(const std::vector<std::vector<int>>& nodes, std::size_t processors) {
  std::vector<int> order(nodes.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, std::greater<>(), [&](int node) { return nodes[node].size(); });
  std::vector<int> smallest(processors, -1);
  std::vector<int> depth(nodes.size(), 0);
  for (const int node : order) {
    if (nodes[node].empty()) {
      continue;
    }
    const int around = smallest[nodes[node].front()];
    for (const int p : nodes[node]) {
      if (smallest[p] != around) {
        return "NUMA nodes overlap";
      }
      smallest[p] = node;
    }
    const bool is_same = around >= 0 && nodes[around].size() == nodes[node].size();
    depth[node] = around < 0 ? 1 : depth[around] + (is_same ? 0 : 1);
    if (depth[node] > kDeepest) {
      return "NUMA nodes are nested on more than 100 levels";
    }
  }
  return nullptr;
}

Fault fault_of_numa(const Hardware& hardware) {
  const std::size_t processors = hardware.cpus.size();
  const std::size_t nodes = hardware.numa_processors.size();
  if (nodes > kMostProcessors) {
    return "it has more than 8192 NUMA nodes";
  }
  for (const std::vector<int>& node : hardware.numa_processors) {
    if (Fault fault = fault_of_numbers(node, processors)) {
      return fault;
    }
  }
  if (Fault fault = fault_of_nesting(hardware.numa_processors, processors)) {
    return fault;
  }
  const std::set<int> numbers(hardware.numa_numbers.begin(), hardware.numa_numbers.end());
  if (!numbers.empty() &&
      (numbers.size() != hardware.numa_numbers.size() || *numbers.begin() < 0)) {
    return "two of its NUMA nodes have the same number";
  }
  const auto is_row = [&](const std::vector<unsigned>& row) { return row.size() == nodes; };
  const auto is_matrix = [&](const std::vector<std::vector<unsigned>>& rows) {
    return rows.empty() || (rows.size() == nodes && std::ranges::all_of(rows, is_row));
  };
  return is_matrix(hardware.numa_distance) && is_matrix(hardware.probed_distance)
             ? nullptr
             : "distances do not fit its NUMA nodes";
}

bool is_name(const std::string& text) {
  return text.size() <= kMostLetters && std::ranges::all_of(text, is_of_name);
}

Fault fault_of_devices(const Hardware& hardware) {
  if (hardware.devices.size() > kMostDevices) {
    return "it has more than 1024 devices";
  }
  for (const Device& device : hardware.devices) {
    if (fault_of_numbers(device.processors, hardware.cpus.size()) != nullptr) {
      return "a device has processors that are not the machine's";
    }
    if (!is_name(device.name) || !is_name(device.pci) || !is_name(device.uuid)) {
      return "a device has an impossible name";
    }
  }
  const auto fits = [](const auto& sizes, const auto& of) {
    return sizes.empty() || sizes.size() == of.size();
  };
  return fits(hardware.object_kib, hardware.objects) &&
                 fits(hardware.numa_mib, hardware.numa_processors)
             ? nullptr
             : "sizes do not fit its objects";
}

}  // namespace

const char* broken_invariant(const Hardware& hardware) {
  if (Fault fault = fault_of_processors(hardware)) {
    return fault;
  }
  if (Fault fault = fault_of_tree(hardware)) {
    return fault;
  }
  // The other checks walk the tree, and rely on correct levels.
  if (Fault fault = fault_of_levels(hardware.objects)) {
    return fault;
  }
  if (Fault fault = fault_of_cores(hardware)) {
    return fault;
  }
  if (Fault fault = fault_of_numa(hardware)) {
    return fault;
  }
  return fault_of_devices(hardware);
}

}  // namespace nestbind::machine
