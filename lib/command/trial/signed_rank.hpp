// SPDX-License-Identifier: BSD-3-Clause
// Wilcoxon's signed-rank test of pairs, with its exact distribution.
// F. Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1 (1945).
#pragma once

#include <cstddef>
#include <vector>

namespace nestbind::trial {

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
