// SPDX-License-Identifier: BSD-3-Clause
#include "balance/partition/request.hpp"

// What scotch.h needs, and does not include.
#include <scotch.h>
#include <stdint.h>
#include <stdio.h>

#include "support/library_object.hpp"

namespace nestbind::balance::partition {

std::optional<std::vector<int>> by_scotch(const Request& request) {
  if (auto plain = divide_plainly(request)) {
    return plain;
  }
  SCOTCH_randomReset();
  const Rows<SCOTCH_Num> rows(request);
  const std::vector<SCOTCH_Num> load(request.load.begin(), request.load.end());
  const auto objects = static_cast<SCOTCH_Num>(load.size());
  std::vector<SCOTCH_Num> part(load.size(), 0);
  support::LibraryObject<SCOTCH_Graph, SCOTCH_graphInit, SCOTCH_graphExit> graph;
  support::LibraryObject<SCOTCH_Strat, SCOTCH_stratInit, SCOTCH_stratExit> strategy;
  const bool is_divided =
      graph.is_good() && strategy.is_good() &&
      SCOTCH_graphBuild(graph.get(), 0, objects, rows.begin.data(), nullptr, load.data(), nullptr,
                        static_cast<SCOTCH_Num>(2 * request.edges.size()), rows.neighbour.data(),
                        rows.weight.data()) == 0 &&
      SCOTCH_graphCheck(graph.get()) == 0 &&
      SCOTCH_graphPart(graph.get(), request.parts, strategy.get(), part.data()) == 0;
  return is_divided ? std::optional(std::vector<int>(part.begin(), part.end())) : std::nullopt;
}

}  // namespace nestbind::balance::partition
