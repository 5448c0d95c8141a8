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

// positions: in Hardware::cpus, ascending.
bool touches(const std::vector<int>& positions, const Object& object) {
  const auto first = std::ranges::lower_bound(positions, object.begin);
  return first != positions.end() && *first < object.end;
}

std::vector<int> positions_of(const Hardware& hardware, const std::vector<int>& cpus) {
  std::vector<int> positions;
  for (std::size_t p = 0; p < hardware.cpus.size(); ++p) {
    if (std::ranges::find(cpus, hardware.cpus[p]) != cpus.end()) {
      positions.push_back(static_cast<int>(p));
    }
  }
  return positions;
}

// Returns the level of each processor.
std::vector<int> levels_to(const Hardware& hardware, const Device& device) {
  std::vector<int> level(hardware.cpus.size(), 0);
  for (const Object& object : hardware.objects) {
    const bool is_doubled = std::ranges::any_of(object.children, [&](int child) {
      const Object& inner = hardware.objects[child];
      return inner.begin == object.begin && inner.end == object.end;
    });
    if (!is_doubled && !touches(device.processors, object)) {
      std::for_each(level.begin() + object.begin, level.begin() + object.end,
                    [](int& one) { ++one; });
    }
  }
  return level;
}

int nearest_of(const std::vector<int>& levels, const std::vector<int>& positions) {
  int nearest = positions.empty() ? -1 : levels[positions[0]];
  for (const int p : positions) {
    nearest = std::min(nearest, levels[p]);
  }
  return nearest;
}

// The nearest processor counts first, then the mean of all processors.
long cost_of(const std::vector<int>& levels, const std::vector<int>& positions) {
  constexpr long kNearest = 1'000'000;
  constexpr long kMean = 1000;
  long sum = 0;
  for (const int p : positions) {
    sum += levels[p];
  }
  return positions.empty()
             ? 0
             : kNearest * nearest_of(levels, positions) + kMean * sum / std::ssize(positions);
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
  std::vector<int> near = devices;
  std::erase_if(near, [&](int one) {
    return std::ranges::none_of(hardware.objects, [&](const Object& object) {
      return object.type == Type::kPackage && touches(hardware.devices[one].processors, object) &&
             std::ranges::any_of(positions, [&](const auto& own) { return touches(own, object); });
    });
  });
  return near.empty() ? devices : near;
}

int first_of(const std::vector<int>& positions) { return positions.empty() ? -1 : positions[0]; }

}  // namespace

const char* word_of(DeviceKind kind) {
  return kind == DeviceKind::kGpu ? "gpu" : kind == DeviceKind::kNic ? "nic" : "nvme";
}

int numa_of(const Hardware& hardware, const Device& device) {
  int smallest = -1;
  const auto& nodes = hardware.numa_processors;
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    if (std::ranges::includes(nodes[node], device.processors) &&
        (smallest < 0 || nodes[node].size() < nodes[smallest].size())) {
      smallest = static_cast<int>(node);
    }
  }
  return numa_number(hardware, smallest);
}

std::vector<int> cpus_beside(const Hardware& hardware, const Device& device) {
  std::vector<int> cpus;
  for (const int p : device.processors) {
    if (hardware.is_allowed[p]) {
      cpus.push_back(hardware.cpus[p]);
    }
  }
  std::ranges::sort(cpus);
  return cpus;
}

int level_of(const Hardware& hardware, const Device& device, const std::vector<int>& cpus) {
  return nearest_of(levels_to(hardware, device), positions_of(hardware, cpus));
}

std::vector<int> to_divide(const Hardware& hardware, DeviceKind kind, int vendor) {
  std::vector<int> devices;
  int highest = 0;
  for (std::size_t i = 0; i < hardware.devices.size(); ++i) {
    const Device& device = hardware.devices[i];
    if (device.kind != kind || device.choice < highest ||
        (vendor != 0 && device.vendor != vendor)) {
      continue;
    }
    if (device.choice > highest) {
      highest = device.choice;
      devices.clear();
    }
    devices.push_back(static_cast<int>(i));
  }
  return devices;
}

std::vector<std::vector<int>> divide_devices(const Hardware& hardware, const std::vector<int>& all,
                                             const std::vector<std::vector<int>>& ranks) {
  std::vector<std::vector<int>> of_rank(ranks.size());
  if (all.empty() || ranks.empty()) {
    return of_rank;
  }
  std::vector<std::vector<int>> positions(ranks.size());
  std::ranges::transform(ranks, positions.begin(),
                         [&](const auto& cpus) { return positions_of(hardware, cpus); });
  std::vector<int> devices = within_reach(hardware, all, positions);
  std::ranges::sort(devices, {}, [&](int one) {
    return std::pair(first_of(hardware.devices[one].processors), one);
  });
  std::vector<int> order(ranks.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {},
                    [&](int rank) { return std::pair(first_of(positions[rank]), rank); });
  const bool has_enough = devices.size() >= ranks.size();  // then the ranks are the groups
  const auto [few, many] = std::minmax({devices.size(), ranks.size()});
  Costs costs(many, std::vector<long>(few));
  constexpr long kMoreThanDisorder = 10'000'000;
  for (std::size_t d = 0; d < devices.size(); ++d) {
    const auto levels = levels_to(hardware, hardware.devices[devices[d]]);
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      (has_enough ? costs[d][r] : costs[r][d]) =
          kMoreThanDisorder * cost_of(levels, positions[order[r]]) +
          disorder(static_cast<long>(d), std::ssize(devices), static_cast<long>(r),
                   std::ssize(ranks));
    }
  }
  const std::vector<int> group_of = even_groups(costs);
  for (int item = 0; item < std::ssize(group_of); ++item) {
    const auto [d, r] =
        has_enough ? std::pair(item, group_of[item]) : std::pair(group_of[item], item);
    of_rank[order[r]].push_back(devices[d]);
  }
  for (std::vector<int>& own : of_rank) {
    std::ranges::sort(own);
  }
  return of_rank;
}

}  // namespace nestbind::machine
