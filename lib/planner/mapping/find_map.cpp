// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/find_map.hpp"

#include <algorithm>

#include "mapping/greedy.hpp"

namespace nestbind::mapping {

namespace {

std::optional<std::vector<int>> ask(const Mapper& mapper, const Team& team,
                                    const Distances& distances, bool& has_refused) {
  const auto target = mapper ? target_of(team, distances) : std::nullopt;
  if (!target || target->edges.empty()) {
    return std::nullopt;
  }
  const auto positions = mapper(*target);
  const bool is_good = positions && positions->size() == static_cast<std::size_t>(team.size) &&
                       std::ranges::all_of(*positions, [&](int position) {
                         return position >= 0 && position < team.size;
                       });
  has_refused = has_refused || !is_good;
  return is_good ? std::optional(settle(*target, *positions)) : std::nullopt;
}

}  // namespace

Placement place_by(const Problem& problem, Method method, const Mapper& mapper, bool& has_refused) {
  constexpr int kFewest = 3;  // with two members there is no choice: the first never moves
  Placement placement(problem);
  for (std::size_t index = 0; index < problem.threads.all.size() && method != Method::kPlain;
       ++index) {
    const int thread = static_cast<int>(index);
    if (problem.threads.all[index].members.size() < kFewest) {
      continue;
    }
    const Team team = team_of(problem, placement, thread);
    const auto mapped = method == Method::kMapper
                            ? ask(mapper, team, problem.distances, has_refused)
                            : std::nullopt;
    placement.set(thread, mapped ? *mapped : place_greedily(team, problem.distances));
  }
  return placement;
}

Mapping map(const Problem& problem, const Mapper& mapper) {
  Mapping best;
  best.cost_before = Placement(problem).cost();
  best.cost = best.cost_before;
  for (const Method method : {Method::kPlain, Method::kGreedy, Method::kMapper}) {
    if (method == Method::kMapper && !mapper) {
      continue;
    }
    Placement placement = place_by(problem, method, mapper, best.has_refused);
    exchange_members(problem, placement);
    const double cost = placement.cost();
    if (cost < best.cost) {
      best.cost = cost;
      best.method = method;
      best.order = placement.order();
    }
  }
  return best;
}

}  // namespace nestbind::mapping
