// SPDX-License-Identifier: BSD-3-Clause
// A team mapped by SCOTCH (F. Pellegrini, https://www.labri.fr/perso/pelegrin/scotch/): its members
// as a graph onto a tree-shaped architecture (tleaf), for quality, by the library's user's
// guide 7.0.
#pragma once

#include <optional>
#include <vector>

#include "mapping/target.hpp"

namespace nestbind::mapping::scotch {

// The seat of each member, below the team's size, some of them maybe twice. None where SCOTCH
// refuses. May end the process on an error in it.
std::optional<std::vector<int>> solve(const Target& target);

}  // namespace nestbind::mapping::scotch
