// SPDX-License-Identifier: BSD-3-Clause
#include "machine/devices.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

namespace nestbind::machine {

namespace {

std::vector<bool> beside(const Hardware& hardware, const Device& device) {
  std::vector<bool> is_beside(hardware.cpus.size(), device.processors.empty());
  for (const int p : device.processors) {
    is_beside[p] = true;
  }
  return is_beside;
}

// The positions of processors in Hardware::cpus.
std::vector<int> positions_of(const Hardware& hardware, const std::vector<int>& cpus) {
  std::vector<int> positions;
  for (std::size_t p = 0; p < hardware.cpus.size(); ++p) {
    if (std::ranges::find(cpus, hardware.cpus[p]) != cpus.end()) {
      positions.push_back(static_cast<int>(p));
    }
  }
  return positions;
}

// The nearest processor counts first, then the mean of all processors.
long cost_of(const std::vector<int>& levels, const std::vector<int>& positions) {
  if (positions.empty()) {
    return 0;
  }
  constexpr long kNearest = 1'000'000;
  constexpr long kMean = 1000;
  long sum = 0;
  int nearest = std::numeric_limits<int>::max();
  for (const int p : positions) {
    sum += levels[p];
    nearest = std::min(nearest, levels[p]);
  }
  return kNearest * nearest + kMean * sum / static_cast<long>(positions.size());
}

// Of equally good divisions, the one in the order of the machine is the best: the cost of giving
// item i of `items` to group g of `groups`, from 0 to 1000.
long disorder(long i, long items, long g, long groups) {
  const long away =
      std::abs((2 * i + 1) * groups - (2 * g + 1) * items) * 1000 / (2 * items * groups);
  return away * away / 1000;
}

using Costs = std::vector<std::vector<long>>;  // [item][group]

// Divides items among groups whose sizes differ by at most one. Begins with consecutive items. Then
// exchanges two items, or moves an item from a larger group to a smaller one, while this makes the
// sum of the costs smaller. So no exchange of two ranks is better than the result.
std::vector<int> even_groups(const Costs& costs) {
  const auto items = std::ssize(costs);
  const auto groups = std::ssize(costs[0]);
  std::vector<int> group_of(items);
  std::vector<long> size(groups, 0);
  for (long item = 0; item < items; ++item) {
    group_of[item] = static_cast<int>(item * groups / items);
    ++size[group_of[item]];
  }
  const auto gain = [&](long item, int to) {
    return costs[item][group_of[item]] - costs[item][to];
  };
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (long item = 0; item < items; ++item) {
      for (int to = 0; to < groups; ++to) {
        int& from = group_of[item];
        if (size[to] < size[from] && gain(item, to) > 0) {
          --size[from];
          ++size[to];
          from = to;
          is_changed = true;
        }
      }
      for (long other = 0; other < item; ++other) {
        if (gain(item, group_of[other]) + gain(other, group_of[item]) > 0) {
          std::swap(group_of[item], group_of[other]);
          is_changed = true;
        }
      }
    }
  }
  return group_of;
}

// The devices in a package with a processor of some rank, or all if there are none. The others may
// belong to another job on this node.
std::vector<int> within_reach(const Hardware& hardware, const std::vector<int>& devices,
                              const std::vector<std::vector<int>>& positions) {
  std::vector<bool> is_rank(hardware.cpus.size(), false);
  for (const auto& own : positions) {
    for (const int p : own) {
      is_rank[p] = true;
    }
  }
  std::vector<int> near;
  std::ranges::copy_if(devices, std::back_inserter(near), [&](int one) {
    const std::vector<bool> is_beside = beside(hardware, hardware.devices[one]);
    return std::ranges::any_of(hardware.objects, [&](const Object& object) {
      const auto is_in = [&](const std::vector<bool>& set) {
        return std::find(set.begin() + object.begin, set.begin() + object.end, true) !=
               set.begin() + object.end;
      };
      return object.type == Type::kPackage && is_in(is_rank) && is_in(is_beside);
    });
  });
  return near.empty() ? devices : near;
}

// Positions in `lists` in the order of their first processors.
std::vector<int> in_machine_order(const std::vector<std::vector<int>>& lists) {
  std::vector<int> order(lists.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](int i) {
    const auto& list = lists[i];
    return std::pair(list.empty() ? -1 : *std::ranges::min_element(list), i);
  });
  return order;
}

}  // namespace

const char* word_of(DeviceKind kind) {
  return kind == DeviceKind::kGpu ? "gpu" : kind == DeviceKind::kNic ? "nic" : "nvme";
}

int numa_of(const Hardware& hardware, const Device& device) {
  int smallest = -1;
  const auto& nodes = hardware.numa_processors;
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    if (!device.processors.empty() && std::ranges::includes(nodes[node], device.processors) &&
        (smallest < 0 || nodes[node].size() < nodes[smallest].size())) {
      smallest = static_cast<int>(node);
    }
  }
  return numa_number(hardware, smallest);
}

std::vector<int> cpus_beside(const Hardware& hardware, const Device& device) {
  const std::vector<bool> is_beside = beside(hardware, device);
  std::vector<int> cpus;
  for (std::size_t p = 0; p < hardware.cpus.size(); ++p) {
    if (is_beside[p] && hardware.is_allowed[p]) {
      cpus.push_back(hardware.cpus[p]);
    }
  }
  std::ranges::sort(cpus);
  return cpus;
}

std::vector<int> levels_to(const Hardware& hardware, const Device& device) {
  const std::vector<bool> is_beside = beside(hardware, device);
  std::vector<int> level(hardware.cpus.size(), 0);
  std::vector<bool> is_doubled(hardware.objects.size(), false);
  for (std::size_t i = 0; i < hardware.objects.size(); ++i) {
    const Object& object = hardware.objects[i];
    for (const int child : object.children) {
      const Object& inner = hardware.objects[child];
      is_doubled[child] = inner.begin == object.begin && inner.end == object.end;
    }
    const auto begin = is_beside.begin();
    if (!is_doubled[i] &&
        std::find(begin + object.begin, begin + object.end, true) == begin + object.end) {
      std::for_each(level.begin() + object.begin, level.begin() + object.end,
                    [](int& one) { ++one; });
    }
  }
  return level;
}

int level_of(const Hardware& hardware, const Device& device, const std::vector<int>& cpus) {
  const std::vector<int> levels = levels_to(hardware, device);
  int nearest = -1;
  for (const int p : positions_of(hardware, cpus)) {
    nearest = nearest < 0 ? levels[p] : std::min(nearest, levels[p]);
  }
  return nearest;
}

std::vector<int> to_divide(const Hardware& hardware, DeviceKind kind) {
  std::vector<int> devices;
  int highest = 0;
  for (const Device& device : hardware.devices) {
    highest = device.kind == kind ? std::max(highest, device.choice) : highest;
  }
  for (std::size_t i = 0; i < hardware.devices.size(); ++i) {
    const Device& device = hardware.devices[i];
    if (device.kind == kind && device.choice == highest) {
      devices.push_back(static_cast<int>(i));
    }
  }
  return devices;
}

std::vector<int> nearest_devices(const Hardware& hardware, DeviceKind kind,
                                 const std::vector<int>& cpus) {
  std::vector<int> nearest;
  int best = std::numeric_limits<int>::max();
  for (std::size_t i = 0; i < hardware.devices.size(); ++i) {
    const Device& device = hardware.devices[i];
    if (device.kind != kind) {
      continue;
    }
    const int level = level_of(hardware, device, cpus);
    if (level < best) {
      best = level;
      nearest.clear();
    }
    if (level == best) {
      nearest.push_back(static_cast<int>(i));
    }
  }
  return nearest;
}

std::vector<std::vector<int>> divide_devices(const Hardware& hardware, const std::vector<int>& all,
                                             const std::vector<std::vector<int>>& ranks) {
  std::vector<std::vector<int>> of_rank(ranks.size());
  if (all.empty() || ranks.empty()) {
    return of_rank;
  }
  std::vector<std::vector<int>> positions;
  positions.reserve(ranks.size());
  for (const auto& cpus : ranks) {
    positions.push_back(positions_of(hardware, cpus));
  }
  const std::vector<int> devices = within_reach(hardware, all, positions);
  std::vector<std::vector<int>> places;
  places.reserve(devices.size());
  for (const int device : devices) {
    places.push_back(hardware.devices[device].processors);
  }
  const std::vector<int> rank_order = in_machine_order(positions);
  const std::vector<int> device_order = in_machine_order(places);
  const bool has_enough = devices.size() >= ranks.size();  // then the ranks are the groups
  Costs costs(has_enough ? devices.size() : ranks.size(),
              std::vector<long>(has_enough ? ranks.size() : devices.size()));
  constexpr long kMoreThanDisorder = 10'000'000;
  for (std::size_t d = 0; d < devices.size(); ++d) {
    const auto levels = levels_to(hardware, hardware.devices[devices[device_order[d]]]);
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      const auto [item, group] = has_enough ? std::pair(d, r) : std::pair(r, d);
      costs[item][group] = kMoreThanDisorder * cost_of(levels, positions[rank_order[r]]) +
                           disorder(static_cast<long>(item), std::ssize(costs),
                                    static_cast<long>(group), std::ssize(costs[0]));
    }
  }
  const std::vector<int> group_of = even_groups(costs);
  for (std::size_t item = 0; item < group_of.size(); ++item) {
    const auto group = static_cast<std::size_t>(group_of[item]);
    const int device = devices[device_order[has_enough ? item : group]];
    of_rank[rank_order[has_enough ? group : item]].push_back(device);
  }
  for (std::vector<int>& own : of_rank) {
    std::ranges::sort(own);
  }
  return of_rank;
}

}  // namespace nestbind::machine
