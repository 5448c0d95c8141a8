// SPDX-License-Identifier: BSD-3-Clause
#include "trial/measure.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace nestbind::trial {

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
