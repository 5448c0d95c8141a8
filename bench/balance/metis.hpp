// SPDX-License-Identifier: BSD-3-Clause
// METIS, for comparison: G. Karypis, METIS 5.1.0 manual.
#pragma once

#include <optional>
#include <vector>

#include "mapping/object_graph.hpp"

namespace nestbind::simulation {

// The part of each object by METIS_PartGraphKway with its defaults. None if METIS refuses.
std::optional<std::vector<int>> divide_by_metis(const mapping::ObjectGraph& objects);

}  // namespace nestbind::simulation
