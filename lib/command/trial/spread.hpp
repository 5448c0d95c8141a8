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

// Returns the logarithm if `is_ratio`: differences are then ratios, and do not depend on the
// machine's speed. Otherwise (a number is not positive) returns the number itself.
double scaled(double value, bool is_ratio);

bool are_ratios(const std::vector<double>& values);

// Returns the scaled differences a - b, round by round.
std::vector<double> differences(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace nestbind::trial
