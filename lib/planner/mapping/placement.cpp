// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/placement.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace nestbind::mapping {

namespace {

void add_branches(const machine::Machine& machine, int index, Branches& branches) {
  const machine::Node& node = machine.nodes[index];
  const bool has_several =
      node.children.empty() ? node.end - node.begin > 1 : node.children.size() > 1;
  for (int slot = node.begin; has_several && slot < node.end; ++slot) {
    branches[slot].push_back(index);
  }
  for (const int child : node.children) {
    add_branches(machine, child, branches);
  }
}

std::vector<std::vector<double>> factors_of(const std::vector<std::vector<unsigned>>& distance) {
  double least = 0;
  for (std::size_t i = 0; i < distance.size(); ++i) {
    for (std::size_t j = 0; j < distance.size(); ++j) {
      const double between = distance[i][j];
      least = i != j && (least == 0 || between < least) ? between : least;
    }
  }
  std::vector<std::vector<double>> factors(distance.size(),
                                           std::vector<double>(distance.size(), 1));
  for (std::size_t i = 0; i < distance.size() && least > 0; ++i) {
    for (std::size_t j = 0; j < distance.size(); ++j) {
      const double both = static_cast<double>(distance[i][j]) + distance[j][i];
      factors[i][j] = i == j ? 1 : both / (2 * least);
    }
  }
  return factors;
}

}  // namespace

Branches branches_of(const machine::Machine& machine) {
  Branches branches(machine.slots.size());
  add_branches(machine, 0, branches);
  return branches;
}

Distances::Distances(const machine::Machine& machine)
    : branches_(branches_of(machine)),
      levels_(machine),
      remote_(factors_of(machine.numa_distance)) {
  for (const machine::Slot& slot : machine.slots) {
    const bool has_row = slot.numa_row >= 0 && slot.numa_row < static_cast<int>(remote_.size());
    row_.push_back(has_row ? slot.numa_row : -1);
  }
  constexpr std::size_t kMostInTable = 2048;  // slots; the table for them has 32 MB
  if (machine.slots.size() <= kMostInTable) {
    const int slots = static_cast<int>(machine.slots.size());
    table_.reserve(machine.slots.size() * machine.slots.size());
    for (int a = 0; a < slots; ++a) {
      for (int b = 0; b < slots; ++b) {
        table_.push_back(compute(a, b));
      }
    }
  }
}

double Distances::compute(int a, int b) const {
  const double factor = row_[a] < 0 || row_[b] < 0 ? 1 : remote_[row_[a]][row_[b]];
  return levels_.between(a, b) * factor;
}

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
