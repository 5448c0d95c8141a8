// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/ranks/map_ranks.hpp"

#include <numeric>

#include "mapping/ranks/grid_blocks.hpp"
#include "mapping/ranks/halves.hpp"

namespace nestbind::mapping {

namespace {

std::vector<RankOrder> orders_by(const RankProblem& problem, RankMethod method) {
  const Grid* const grid = problem.grid;
  switch (method) {
    case RankMethod::kBlocks:
      return grid == nullptr ? std::vector<RankOrder>() : block_orders(*grid, problem.slots);
    case RankMethod::kHalves:
      if (grid == nullptr) {
        return {};
      }
      return {fill(places_of(problem.slots), grid_cut(*grid, problem.graph))};
    default:
      return {};
  }
}

}  // namespace

RankMapping map_ranks(const RankProblem& problem, const RankMapper& /*mapper*/) {
  RankMapping best;
  best.slot.resize(static_cast<std::size_t>(problem.slots.count()));
  std::iota(best.slot.begin(), best.slot.end(), 0);
  best.cost_before = cost_of(problem.graph, problem.slots, best.slot);
  best.cost = best.cost_before;
  const RankTraffic before = traffic_of(problem.graph, problem.slots, best.slot);
  for (const RankMethod method : {RankMethod::kBlocks, RankMethod::kHalves}) {
    for (RankOrder& order : orders_by(problem, method)) {
      const double cost = cost_of(problem.graph, problem.slots, order);
      if (cost >= best.cost) {
        continue;
      }
      const RankTraffic after = traffic_of(problem.graph, problem.slots, order);
      if (after.between_nodes <= before.between_nodes && after.hop_bytes <= before.hop_bytes) {
        best.cost = cost;
        best.method = method;
        best.slot = std::move(order);
      }
    }
  }
  return best;
}

}  // namespace nestbind::mapping
