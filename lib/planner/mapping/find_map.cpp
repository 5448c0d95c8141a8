// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/find_map.hpp"

#include <algorithm>
#include <cmath>

namespace nestbind::mapping {

namespace {

constexpr int kNone = -1;

class Greedy {
 public:
  Greedy(const Team& team, const Distances& distances)
      : team_(team),
        distances_(distances),
        partners_(team.size),
        position_(team.size, kNone),
        is_taken_(team.size, false),
        drawn_(team.size, 0) {
    for (const auto& [a, b, weight] : team.pairs) {
      partners_[a].push_back({b, weight});
      partners_[b].push_back({a, weight});
    }
  }

  std::vector<int> place() {
    sit(0, 0);
    for (int placed = 1; placed < team_.size; ++placed) {
      const int member = next();
      sit(member, best_position(member));
    }
    return position_;
  }

 private:
  void sit(int member, int position) {
    position_[member] = position;
    is_taken_[position] = true;
    for (const auto& [partner, weight] : partners_[member]) {
      drawn_[partner] += weight;
    }
  }

  int next() const {
    int best = kNone;
    for (int member = 0; member < team_.size; ++member) {
      if (position_[member] == kNone && (best == kNone || drawn_[member] > drawn_[best])) {
        best = member;
      }
    }
    return best;
  }

  int best_position(int member) const {
    int best = kNone;
    double least = 0;
    for (int position = 0; position < team_.size; ++position) {
      if (is_taken_[position] || team_.shapes[position] != team_.shapes[member]) {
        continue;
      }
      double cost = team_.pull[member][position];
      for (const auto& [partner, weight] : partners_[member]) {
        if (position_[partner] != kNone) {
          cost += weight * distances_(team_.slots[position], team_.slots[position_[partner]]);
        }
      }
      if (best == kNone || cost < least) {
        best = position;
        least = cost;
      }
    }
    return best;
  }

  const Team& team_;
  const Distances& distances_;
  std::vector<std::vector<Problem::Partner>> partners_;
  std::vector<int> position_;
  std::vector<bool> is_taken_;
  std::vector<double> drawn_;  // weight between a member and all placed members
};

// A gain below this fraction of the cost may be a rounding error.
constexpr double kNothing = 1e-9;

bool improve(const Problem& problem, Placement& placement, int thread, double least, long& steps) {
  const std::vector<int>& members = problem.threads.all[thread].members;
  const auto shape = [&](int member) { return problem.threads.all[members[member]].shape; };
  const auto work = [&](int member) {
    const Thread& who = problem.threads.all[members[member]];
    long partners = 1;
    for (int number = who.begin; number < who.end; ++number) {
      partners += static_cast<long>(problem.partners[number].size());
    }
    return partners;
  };
  const int size = static_cast<int>(members.size());
  bool is_better = false;
  for (int one = 1; one < size && steps > 0; ++one) {
    const long own_work = work(one);
    for (int other = one + 1; other < size && steps > 0; ++other) {
      if (shape(one) != shape(other)) {
        continue;
      }
      steps -= 2 * own_work;
      if (placement.gain(thread, one, other) > least) {
        placement.swap(thread, one, other);
        is_better = true;
      }
    }
  }
  return is_better;
}

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

std::vector<int> place_greedily(const Team& team, const Distances& distances) {
  return Greedy(team, distances).place();
}

void exchange_members(const Problem& problem, Placement& placement) {
  const double least = kNothing * placement.cost();
  long steps = kMostSteps;
  for (bool is_better = true; is_better && steps > 0;) {
    is_better = false;
    for (std::size_t thread = 0; thread < problem.threads.all.size(); ++thread) {
      is_better = improve(problem, placement, static_cast<int>(thread), least, steps) || is_better;
    }
  }
}

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
