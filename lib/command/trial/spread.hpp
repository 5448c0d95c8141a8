// SPDX-License-Identifier: BSD-3-Clause
// Median and spread of measured numbers, and the differences between two lists of numbers.
#pragma once

#include <vector>

namespace nestbind::trial {

// Quartiles by linear interpolation (the default of R and numpy, type 7 of Hyndman and Fan, 1996).
struct Spread {
  double low = 0;
  double median = 0;
  double high = 0;
};

// values: at least one.
Spread spread(std::vector<double> values);
double median(std::vector<double> values);

// If `is_ratio` is true, returns the logarithm. Differences of logarithms do not depend on the
// machine's speed. Logarithms need positive numbers. If `is_ratio` is false, returns the number.
double scaled(double value, bool is_ratio);

bool are_ratios(const std::vector<double>& values);

// Returns the scaled differences a - b, round by round.
std::vector<double> differences(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace nestbind::trial
