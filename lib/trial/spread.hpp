// SPDX-License-Identifier: BSD-3-Clause
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

}  // namespace nestbind::trial
