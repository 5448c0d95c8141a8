// SPDX-License-Identifier: BSD-3-Clause
// Repartitioning by Zoltan, for comparison.
#pragma once

#include <vector>

// As repartition() does by SCOTCH (repartition.hpp).
bool repartition_by_zoltan(const std::vector<double>& load, int ring, int nodes,
                           std::vector<int>& place);
