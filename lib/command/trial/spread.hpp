// SPDX-License-Identifier: BSD-3-Clause
// The middle of measured numbers, how far they are spread, and how far apart two of them are, the
// same wherever they are compared.
#pragma once

#include <vector>

namespace nestbind::trial {

// The quartiles of some numbers: between two of them in proportion (the definition that R and
// numpy take unless told otherwise, type 7 of Hyndman and Fan, 1996).
struct Spread {
  double low = 0;
  double median = 0;
  double high = 0;
};

// At least one number.
Spread spread(std::vector<double> values);
double median(std::vector<double> values);

// The logarithm of a number, so that differences are ratios, which do not depend on how fast the
// machine happens to be; the number itself, where any of a comparison is not above 0.
double scaled(double value, bool is_ratio);

// Whether all are above 0.
bool are_ratios(const std::vector<double>& values);

// The scaled differences a - b of two rows of the same rounds; the longer one's rest is left out.
std::vector<double> differences(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace nestbind::trial
