// SPDX-License-Identifier: BSD-3-Clause
// Who is whose partner where all talk at once. Inside lib/probe.
#pragma once

#include <cstdint>
#include <vector>

#include "probe/survey.hpp"

namespace nestbind::probe {

// Near: the cores by twos in topology order. Random: by twos in another order. n hops: cores of
// nodes that are so far apart (topology/interconnect.hpp); of nodes that have no partner, none.
// Patterns of less than two pairs are left out. cores: a processor of each, in topology order;
// distance: by NodeSubject::row.
std::vector<Pattern> patterns_of(const std::vector<int>& cores,
                                 const std::vector<NodeSubject>& nodes,
                                 const std::vector<std::vector<unsigned>>& distance,
                                 std::uint64_t seed);

}  // namespace nestbind::probe
