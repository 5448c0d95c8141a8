// SPDX-License-Identifier: BSD-3-Clause
// Which distances differ, and which are one and the same within what was measured.
#pragma once

#include <vector>

namespace nestbind::probe {

struct Classes {
  std::vector<int> of_group;  // of each group its class: from 0, the nearest first
  int count = 0;
  double noise = 0;  // between measurements of one group: standard deviation of the logarithm
};

// Groups of measurements of what should be the same distance, each with at least one, all above 0.
// Sorted by their means (of logarithms), a new class begins where a group is above the lowest of
// its class by more than 10 %, and by more than four standard errors of the difference between two
// groups, as the scatter inside the groups tells it (pooled: one-way analysis of variance). So
// where the scatter is as large as the differences, there is one class.
Classes find_classes(const std::vector<std::vector<double>>& groups);

}  // namespace nestbind::probe
