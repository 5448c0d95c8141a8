// SPDX-License-Identifier: BSD-3-Clause
// Repartitioning by SCOTCH, for comparison.
#pragma once

#include <vector>

// Objects are in a ring: each exchanges messages with `ring` objects before and after it. `place`
// has the node of each object, and gets its new node. Returns false if SCOTCH fails.
bool repartition(const std::vector<double>& load, int ring, int nodes, std::vector<int>& place);
