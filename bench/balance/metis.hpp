// SPDX-License-Identifier: BSD-3-Clause
// Calls METIS, to compare its results (G. Karypis, METIS 5.1.0 manual).
#pragma once

#include <optional>
#include <vector>

#include "mapping/object_graph.hpp"

namespace nestbind::simulation {

// Returns the part number of each object, or nullopt if METIS fails.
std::optional<std::vector<int>> divide_by_metis(const mapping::ObjectGraph& objects);

}  // namespace nestbind::simulation
