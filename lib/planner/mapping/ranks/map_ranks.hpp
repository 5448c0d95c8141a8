// SPDX-License-Identifier: BSD-3-Clause
// Finds the slots of a job's ranks, so that ranks that exchange data are close together.
#pragma once

#include <optional>
#include <vector>

#include "mapping/ranks/rank_slots.hpp"

namespace nestbind::mapping {

// kBlocks: the best strips of a grid (grid_blocks.cpp); then nodes are divided in halves. kHalves:
// ranks are divided in halves.
enum class RankMethod { kPlain, kBlocks, kHalves, kGreedy };

struct RankProblem {
  const RankGraph& graph;
  const Grid* grid = nullptr;  // null if the graph is not a grid's
  const RankSlots& slots;      // as many as ranks; without reordering, rank i is at slot i
};

struct RankMapping {
  RankOrder slot;  // of each rank: a permutation
  double cost_before = 0;
  double cost = 0;  // never above cost_before
  RankTraffic before;
  RankTraffic after;
  RankMethod method = RankMethod::kPlain;  // of the order before the exchanges
};

// Tries these methods, improves the best results by exchanges, and returns the best. The cost, the
// bytes between nodes, the hop-bytes and the load of the busiest link never rise above those of the
// plain order. Same input, same result.
RankMapping map_ranks(const RankProblem& problem, const std::vector<RankMethod>& methods = {
                                                      RankMethod::kPlain, RankMethod::kBlocks,
                                                      RankMethod::kHalves, RankMethod::kGreedy});

// The order by one method, without exchanges; not set if the method does not fit the problem.
std::optional<RankOrder> order_by(const RankProblem& problem, RankMethod method);

}  // namespace nestbind::mapping
