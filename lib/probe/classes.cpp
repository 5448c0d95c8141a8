// SPDX-License-Identifier: BSD-3-Clause
#include "probe/classes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

namespace nestbind::probe {

namespace {

constexpr double kLeastDifference = 1.10;
constexpr double kErrors = 4;

double mean_logarithm(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) {
    sum += std::log(value);
  }
  return sum / static_cast<double>(values.size());
}

double pooled_deviation(const std::vector<std::vector<double>>& groups,
                        const std::vector<double>& means) {
  double squares = 0;
  std::size_t freedoms = 0;
  for (std::size_t group = 0; group < groups.size(); ++group) {
    for (const double value : groups[group]) {
      squares += std::pow(std::log(value) - means[group], 2);
    }
    freedoms += groups[group].size() - 1;
  }
  return freedoms == 0 ? 0 : std::sqrt(squares / static_cast<double>(freedoms));
}

}  // namespace

Classes find_classes(const std::vector<std::vector<double>>& groups) {
  Classes found;
  found.of_group.assign(groups.size(), 0);
  std::vector<double> means;
  means.reserve(groups.size());
  for (const auto& group : groups) {
    means.push_back(mean_logarithm(group));
  }
  found.noise = pooled_deviation(groups, means);

  std::vector<std::size_t> order(groups.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t group) { return std::pair(means[group], group); });
  std::size_t lowest = 0;
  for (const std::size_t group : order) {
    const double parts = 1.0 / static_cast<double>(groups[group].size()) +
                         1.0 / static_cast<double>(groups[lowest].size());
    const double needed =
        std::max(std::log(kLeastDifference), kErrors * found.noise * std::sqrt(parts));
    if (found.count == 0 || means[group] - means[lowest] > needed) {
      ++found.count;
      lowest = group;
    }
    found.of_group[group] = found.count - 1;
  }
  return found;
}

}  // namespace nestbind::probe
