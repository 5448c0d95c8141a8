// SPDX-License-Identifier: BSD-3-Clause
#include "trial/spread.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace nestbind::trial {

namespace {

// Of sorted numbers; part: 0 to 1.
double quantile(const std::vector<double>& sorted, double part) {
  const double place = part * static_cast<double>(sorted.size() - 1);
  const auto before = static_cast<std::size_t>(place);
  const std::size_t behind = std::min(before + 1, sorted.size() - 1);
  const double rest = place - static_cast<double>(before);
  return sorted[before] + rest * (sorted[behind] - sorted[before]);
}

}  // namespace

Spread spread(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {quantile(values, 0.25), quantile(values, 0.5), quantile(values, 0.75)};
}

double median(std::vector<double> values) { return spread(std::move(values)).median; }

}  // namespace nestbind::trial
