// SPDX-License-Identifier: BSD-3-Clause
// Removes processors that are not allowed. hwloc rebuilds its levels if it removes processors.
#include "machine/hardware.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

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

}  // namespace nestbind::machine
