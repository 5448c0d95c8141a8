// SPDX-License-Identifier: BSD-3-Clause
#include "trial/spread.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace nestbind::trial {

namespace {

// sorted: ascending. part: 0 to 1.
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

double scaled(double value, bool is_ratio) { return is_ratio ? std::log(value) : value; }

bool are_ratios(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return value > 0; });
}

std::vector<double> differences(const std::vector<double>& a, const std::vector<double>& b) {
  const bool is_ratio = are_ratios(a) && are_ratios(b);
  std::vector<double> result(std::min(a.size(), b.size()));
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = scaled(a[i], is_ratio) - scaled(b[i], is_ratio);
  }
  return result;
}

}  // namespace nestbind::trial
