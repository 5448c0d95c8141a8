// SPDX-License-Identifier: BSD-3-Clause
#include "trial/holm.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace nestbind::trial {

std::vector<double> holm(const std::vector<double>& values, std::size_t planned) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(values[a], a) < std::pair(values[b], b);
  });
  std::vector<double> adjusted(values.size());
  double largest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double own = values[order[i]] * static_cast<double>(planned - i);
    largest = std::max(largest, std::min(1.0, own));
    adjusted[order[i]] = largest;
  }
  return adjusted;
}

}  // namespace nestbind::trial
