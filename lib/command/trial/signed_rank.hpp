// SPDX-License-Identifier: BSD-3-Clause
// Wilcoxon's signed-rank test of pairs, with its exact distribution.
// F. Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1 (1945).
#pragma once

#include <cstddef>
#include <vector>

namespace nestbind::trial {

struct SignedRank {
  double p = 1;       // two-sided, 0 to 1
  int direction = 0;  // -1: the differences are rather below 0, 1: above, 0: neither
};

// Of the differences of pairs, finite numbers; at most some hundreds, for the time grows with the
// cube of their number. Those that are 0 say nothing and are left out; equal ones share the mean of
// their ranks. The distribution is that of random signs of these very differences: each sum of
// ranks is counted, so that p is exact with ties, too, and for any count. No pair: p is 1.
SignedRank signed_rank(const std::vector<double>& differences);

// The fewest pairs of which p can be at most `level` (above 0): all of one sign, 2 / 2^pairs.
int fewest_pairs(double level);

// The p values of several tests, made larger so that one below a level is wrong in any of them with
// at most this probability, whatever hangs together among them.
// S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
// Statistics 6 (1979). `planned`: how many tests were planned, where some could not be made; those
// count as if they had found nothing. At least as many as there are values.
std::vector<double> holm(const std::vector<double>& values, std::size_t planned);

}  // namespace nestbind::trial
