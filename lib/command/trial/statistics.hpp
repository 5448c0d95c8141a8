// SPDX-License-Identifier: BSD-3-Clause
// Median and spread of measured numbers, differences between two lists of numbers, and tests
// whether differences are more than chance.
#pragma once

#include <cstddef>
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

// Wilcoxon's signed-rank test of pairs, with its exact distribution.
// F. Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1 (1945).
struct SignedRank {
  double p = 1;       // two-sided, 0 to 1
  int direction = 0;  // -1 if the differences tend to be negative, 1 if positive
};

// differences: finite numbers, at most some hundreds, because the time grows with the cube of their
// number. Differences of 0 are left out. Equal differences share their mean rank. The distribution
// is exact: all signs of these differences are equally probable, and each sum of ranks is counted.
// Without pairs p is 1.
SignedRank signed_rank(const std::vector<double>& differences);

// Returns the smallest number of pairs for which p can be at most `level`. The smallest p is 2 /
// 2^pairs. level: above 0.
int fewest_pairs(double level);

// Adjusts the p values of several tests by S. Holm, "A simple sequentially rejective multiple test
// procedure", Scandinavian Journal of Statistics 6 (1979). If results with an adjusted p below a
// level are accepted, the probability of any wrong result is at most this level. The tests may
// depend on each other. planned: the number of planned tests; there may be fewer values.
std::vector<double> holm(const std::vector<double>& values, std::size_t planned);

}  // namespace nestbind::trial
