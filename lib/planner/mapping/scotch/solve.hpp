// SPDX-License-Identifier: BSD-3-Clause
// Calls SCOTCH (F. Pellegrini, https://www.labri.fr/perso/pelegrin/scotch/), as in its user's guide
// 7.0. Both functions return none if SCOTCH fails. An error inside SCOTCH may end the process.
#pragma once

#include <optional>
#include <vector>

#include "mapping/object_graph.hpp"
#include "mapping/target.hpp"

namespace nestbind::mapping::scotch {

// Maps a team: the members are a graph, the architecture is a tree (tleaf). Returns each member's
// position, below the team's size, possibly with duplicates.
std::optional<std::vector<int>> solve(const Target& target);

// Divides objects by SCOTCH_graphPart with its defaults. Returns the part of each object.
std::optional<std::vector<int>> divide(const ObjectGraph& objects);

}  // namespace nestbind::mapping::scotch
