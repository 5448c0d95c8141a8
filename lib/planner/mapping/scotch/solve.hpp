// SPDX-License-Identifier: BSD-3-Clause
// Problems solved by SCOTCH (F. Pellegrini, https://www.labri.fr/perso/pelegrin/scotch/), by the
// library's user's guide 7.0. Both return none where SCOTCH refuses, and may end the process on an
// error in it.
#pragma once

#include <optional>
#include <vector>

#include "mapping/object_graph.hpp"
#include "mapping/target.hpp"

namespace nestbind::mapping::scotch {

// A team mapped: its members as a graph onto a tree-shaped architecture (tleaf), for quality.
// Returns the position of each member, below the team's size, some of them maybe twice.
std::optional<std::vector<int>> solve(const Target& target);

// Objects divided, as SCOTCH_graphPart does it by default. Returns the part of each.
std::optional<std::vector<int>> divide(const ObjectGraph& objects);

}  // namespace nestbind::mapping::scotch
