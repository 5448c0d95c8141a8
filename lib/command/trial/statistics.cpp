// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <utility>

#include "trial/trial.hpp"

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

// If two sizes share a rank, this rank may be 1.5. Doubled ranks are integers. `sizes` must ascend.
std::vector<std::size_t> doubled_ranks(const std::vector<double>& sizes) {
  std::vector<std::size_t> ranks(sizes.size());
  for (std::size_t first = 0; first < sizes.size();) {
    std::size_t behind = first;
    while (behind < sizes.size() && sizes[behind] == sizes[first]) {
      ++behind;
    }
    std::fill(ranks.begin() + static_cast<std::ptrdiff_t>(first),
              ranks.begin() + static_cast<std::ptrdiff_t>(behind), first + 1 + behind);
    first = behind;
  }
  return ranks;
}

// Returns the probability of each sum of positive ranks, if each sign is the toss of a fair coin.
std::vector<double> distribution(const std::vector<std::size_t>& ranks) {
  std::vector<double> probable = {1.0};
  for (const std::size_t rank : ranks) {
    std::vector<double> next(probable.size() + rank);
    for (std::size_t sum = 0; sum < probable.size(); ++sum) {
      next[sum] += probable[sum] / 2;
      next[sum + rank] += probable[sum] / 2;
    }
    probable = std::move(next);
  }
  return probable;
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

SignedRank signed_rank(const std::vector<double>& differences) {
  std::vector<double> known;
  std::copy_if(differences.begin(), differences.end(), std::back_inserter(known),
               [](double difference) { return difference != 0; });
  std::sort(known.begin(), known.end(),
            [](double a, double b) { return std::fabs(a) < std::fabs(b); });
  std::vector<double> sizes(known.size());
  std::transform(known.begin(), known.end(), sizes.begin(),
                 [](double difference) { return std::fabs(difference); });
  const std::vector<std::size_t> ranks = doubled_ranks(sizes);
  std::size_t positive = 0;
  std::size_t negative = 0;
  for (std::size_t i = 0; i < known.size(); ++i) {
    (known[i] > 0 ? positive : negative) += ranks[i];
  }
  if (positive == negative) {
    return {};
  }
  const std::vector<double> probable = distribution(ranks);
  const std::size_t smaller = std::min(positive, negative);
  double tail = 0;
  for (std::size_t sum = 0; sum <= smaller; ++sum) {
    tail += probable[sum];
  }
  return {std::min(1.0, 2 * tail), positive > negative ? 1 : -1};
}

int fewest_pairs(double level) {
  int pairs = 1;
  while (std::ldexp(2, -pairs) > level) {
    ++pairs;
  }
  return pairs;
}

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
