// SPDX-License-Identifier: BSD-3-Clause
// From a path of thread numbers to its team: which masters a level has, and what is remembered.
#include "plan/plan.hpp"

namespace nestbind::plan {

Plan::Plan(machine::Machine machine, Rules rules, Order order)
    : machine_(std::move(machine)),
      rules_(std::move(rules)),
      order_(std::move(order)),
      root_(root_seat(machine_)) {}

const Seat& Plan::seat(const Path& path) {
  return order_.is_plain() ? planned_seat(path) : planned_seat(order_.planned(path));
}

int Plan::next_size(const Path& path) {
  return order_.is_plain() ? planned_size(path) : planned_size(order_.planned(path));
}

const Team& Plan::team(const Path& path, int size) {
  if (order_.is_plain()) {
    return planned_team(path, size);
  }
  const Order::Seats* const seats = order_.seats_of(path, size);
  const auto known = seats == nullptr ? ordered_.end() : ordered_.find({path, size});
  if (known != ordered_.end()) {
    return known->second;
  }
  const Team& planned = planned_team(order_.planned(path), size);
  if (seats == nullptr) {
    return planned;
  }
  Team ordered;
  for (const int member : *seats) {
    ordered.push_back(planned[member]);
  }
  return ordered_.emplace(std::make_pair(path, size), std::move(ordered)).first->second;
}

const Seat& Plan::planned_seat(const Path& path) {
  if (path.empty()) {
    return root_;
  }
  const Step& last = path.back();
  return planned_team({path.begin(), path.end() - 1}, last.size)[last.number];
}

int Plan::planned_size(const Path& path) {
  return team_size(machine_, rules_, static_cast<int>(path.size()), planned_seat(path));
}

const Team& Plan::planned_team(const Path& path, int size) {
  const auto known = teams_.find({path, size});
  if (known != teams_.end()) {
    return known->second;
  }
  const int level = static_cast<int>(path.size());
  if (size > 1 && is_plain_inner(rules_, level)) {
    return plain_inner_team(path, size);
  }
  Team planned = plan_team(machine_, rules_, level, planned_seat(path), size);
  return teams_.emplace(std::make_pair(path, size), std::move(planned)).first->second;
}

bool Plan::as_specified(const Path& path, int size) {
  Path above;
  for (const Step& step : path) {
    if (step.size != planned_size(above)) {
      return false;
    }
    above.push_back(step);
  }
  return size == planned_size(above);
}

// The masters of the level of `path`, seen from `path`: a level is made from the one above it,
// where all teams are planned, those on the path with their real sizes.
Plan::Masters Plan::masters_on(const Path& path, int size) {
  Masters masters;
  masters.seats = {root_};
  masters.paths = {{}};
  for (int level = 0;; ++level) {
    for (std::size_t m = 0; m < masters.seats.size(); ++m) {
      masters.sizes.push_back(team_size(machine_, rules_, level, masters.seats[m]));
    }
    const bool last = level == static_cast<int>(path.size());
    masters.sizes[masters.own] = last ? size : path[level].size;
    if (last) {
      return masters;
    }
    std::vector<Team> teams;
    if (is_plain_inner(rules_, level)) {
      teams = plan_level(machine_, rules_, level, masters.seats, masters.sizes);
    } else {
      for (std::size_t m = 0; m < masters.seats.size(); ++m) {
        teams.push_back(plan_team(machine_, rules_, level, masters.seats[m], masters.sizes[m]));
      }
    }
    Masters next;
    for (std::size_t m = 0; m < teams.size(); ++m) {
      if (m == masters.own) {
        next.own = next.seats.size() + static_cast<std::size_t>(path[level].number);
      }
      for (int i = 0; i < masters.sizes[m]; ++i) {
        next.seats.push_back(std::move(teams[m][i]));
        next.paths.push_back(masters.paths[m]);
        next.paths.back().push_back({i, masters.sizes[m]});
      }
    }
    masters = std::move(next);
  }
}

const Team& Plan::plain_inner_team(const Path& path, int size) {
  const int level = static_cast<int>(path.size());
  // Where all sizes are the specification's, the plans of all these teams are one.
  const bool shared = as_specified(path, size);
  Masters masters = masters_on(path, size);
  std::vector<Team> teams = plan_level(machine_, rules_, level, masters.seats, masters.sizes);
  for (std::size_t m = 0; m < teams.size(); ++m) {
    if (m == masters.own || shared) {
      teams_.emplace(std::make_pair(masters.paths[m], masters.sizes[m]), std::move(teams[m]));
    }
  }
  return teams_.at({path, size});
}

}  // namespace nestbind::plan
