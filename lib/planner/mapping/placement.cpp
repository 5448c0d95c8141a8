// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/placement.hpp"

#include <map>
#include <numeric>
#include <utility>

namespace nestbind::mapping {

Problem::Problem(const Threads& all_threads, const Communication& pairs,
                 const Distances& distance_of)
    : threads(all_threads),
      communication(pairs),
      distances(distance_of),
      partners(all_threads.slot.size()) {
  for (const auto& [a, b, weight] : pairs) {
    partners[a].push_back({b, weight});
    partners[b].push_back({a, weight});
  }
}

Placement::Placement(const Problem& problem)
    : problem_(&problem), position_(problem.threads.slot.size()) {
  std::iota(position_.begin(), position_.end(), 0);
  for (const Thread& thread : problem.threads.all) {
    std::vector<int>& positions = positions_.emplace_back(thread.members.size());
    std::iota(positions.begin(), positions.end(), 0);
  }
}

// Returns how many threads of the last level are in the positions before `position`.
int Placement::offset(int thread, int position) const {
  const std::vector<Thread>& all = problem_->threads.all;
  return all[all[thread].members[position]].begin - all[thread].begin;
}

void Placement::move(int begin, int end, int by) {
  for (int thread = begin; thread < end; ++thread) {
    position_[thread] += by;
  }
}

int Placement::slot_of_position(int thread, int position) const {
  // A team's place is the place of its member 0, which never moves.
  const int first = position_[problem_->threads.all[thread].begin];
  return problem_->threads.slot[first + offset(thread, position)];
}

double Placement::gain(int thread, int one, int other) const {
  const std::vector<Thread>& all = problem_->threads.all;
  const Thread& a = all[all[thread].members[one]];
  const Thread& b = all[all[thread].members[other]];
  const int by =
      offset(thread, positions_[thread][other]) - offset(thread, positions_[thread][one]);
  const auto moved = [&](int number) {
    const int shift = number >= a.begin && number < a.end   ? by
                      : number >= b.begin && number < b.end ? -by
                                                            : 0;
    return std::pair(problem_->threads.slot[position_[number] + shift], shift != 0);
  };
  double gained = 0;
  for (const Thread* half : {&a, &b}) {
    for (int number = half->begin; number < half->end; ++number) {
      const int from = slot(number);
      const int to = moved(number).first;
      for (const auto& [partner, weight] : problem_->partners[number]) {
        const auto [partner_to, is_both] = moved(partner);
        const double less =
            problem_->distances(from, slot(partner)) - problem_->distances(to, partner_to);
        gained += is_both ? weight * less / 2 : weight * less;
      }
    }
  }
  return gained;
}

void Placement::swap(int thread, int one, int other) {
  const std::vector<Thread>& all = problem_->threads.all;
  const Thread& a = all[all[thread].members[one]];
  const Thread& b = all[all[thread].members[other]];
  std::vector<int>& positions = positions_[thread];
  const int by = offset(thread, positions[other]) - offset(thread, positions[one]);
  move(a.begin, a.end, by);
  move(b.begin, b.end, -by);
  std::swap(positions[one], positions[other]);
}

void Placement::set(int thread, const std::vector<int>& positions) {
  const std::vector<Thread>& all = problem_->threads.all;
  for (std::size_t member = 0; member < positions.size(); ++member) {
    const Thread& moved = all[all[thread].members[member]];
    move(moved.begin, moved.end,
         offset(thread, positions[member]) - offset(thread, positions_[thread][member]));
  }
  positions_[thread] = positions;
}

double Placement::cost() const {
  double cost = 0;
  for (const auto& [a, b, weight] : problem_->communication) {
    cost += weight * problem_->distances(slot(a), slot(b));
  }
  return cost;
}

plan::Order Placement::order() const {
  plan::Order order;
  for (std::size_t thread = 0; thread < positions_.size(); ++thread) {
    const std::vector<int>& positions = positions_[thread];
    bool is_plain = true;
    for (std::size_t member = 0; member < positions.size(); ++member) {
      is_plain = is_plain && positions[member] == static_cast<int>(member);
    }
    if (!is_plain) {
      order.set(problem_->threads.all[thread].path, positions);
    }
  }
  return order;
}

Team team_of(const Problem& problem, const Placement& placement, int thread) {
  const std::vector<Thread>& all = problem.threads.all;
  const Thread& primary = all[thread];
  Team team;
  team.size = static_cast<int>(primary.members.size());
  std::vector<int> member_of(primary.end - primary.begin);
  for (int i = 0; i < team.size; ++i) {
    const Thread& member = all[primary.members[i]];
    team.shapes.push_back(member.shape);
    team.slots.push_back(placement.slot_of_position(thread, i));
    for (int number = member.begin; number < member.end; ++number) {
      member_of[number - primary.begin] = i;
    }
  }
  team.pull.assign(team.size, std::vector<double>(team.size, 0));
  std::map<std::pair<int, int>, double> sums;
  for (int number = primary.begin; number < primary.end; ++number) {
    const int member = member_of[number - primary.begin];
    for (const auto& [partner, weight] : problem.partners[number]) {
      const bool is_inside = partner >= primary.begin && partner < primary.end;
      if (!is_inside) {
        for (int position = 0; position < team.size; ++position) {
          team.pull[member][position] +=
              weight * problem.distances(team.slots[position], placement.slot(partner));
        }
      } else if (const int other = member_of[partner - primary.begin]; member < other) {
        sums[{member, other}] += weight;
      }
    }
  }
  for (const auto& [members, weight] : sums) {
    team.pairs.push_back({members.first, members.second, weight});
  }
  return team;
}

}  // namespace nestbind::mapping
