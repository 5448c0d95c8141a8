// SPDX-License-Identifier: BSD-3-Clause
// Plans the teams of a program, and keeps plans for later calls.
#include "plan/team_plan.hpp"

#include <algorithm>

namespace nestbind::plan {

namespace {

// Plans are discarded if they take more bytes than this, and more than twice the largest level.
constexpr std::size_t kMostBytes = 1U << 20;

std::size_t bytes_of(const Path& path, const Team& team) {
  std::size_t bytes = path.size() * sizeof(Step) + team.size() * sizeof(PlannedSlot);
  for (const PlannedSlot& planned : team) {
    bytes += planned.partition.size() * sizeof(int);
  }
  return bytes;
}

long threads_of(const Path& path) {
  long threads = 1;
  for (const Step& step : path) {
    threads = times(threads, step.size);
  }
  return threads;
}

}  // namespace

Plan::Plan(machine::Machine machine, Rules rules, Order order, int quota)
    : machine_(std::move(machine)),
      rules_(std::move(rules)),
      order_(std::move(order)),
      quota_(quota),
      root_(root_slot(machine_)) {}

const PlannedSlot& Plan::slot_of(const Path& path) {
  return order_.is_plain() ? slot_as_planned(path) : slot_as_planned(order_.planned(path));
}

int Plan::next_size(const Path& path) {
  const PlannedSlot& slot = slot_of(path);
  const int set = size_to_set(path, slot);
  return set > 0 ? set : team_size(machine_, rules_, static_cast<int>(path.size()), slot);
}

int Plan::size_to_set(const Path& path, const PlannedSlot& slot) const {
  const int level = static_cast<int>(path.size());
  const Rule* const rule = rule_of(rules_, level);
  if (rule == nullptr || rule->level.is_star) {
    const bool is_auto = level == 0 && rule != nullptr && rules_.back().repeats;
    return is_auto ? default_size(static_cast<int>(machine_.slots.size()), 1, quota_) : 0;
  }
  const int size = team_size(machine_, rules_, level, slot);
  return rule->level.size > 0 ? size : cut_size(size, threads_of(path), quota_);
}

const Team& Plan::team(const Path& path, int size) {
  if (bytes_ > std::max(kMostBytes, 2 * most_at_once_)) {
    teams_.clear();
    ordered_.clear();
    bytes_ = 0;
  }
  if (order_.is_plain()) {
    return planned_team(path, size);
  }
  const Order::Positions* const positions = order_.positions_of(path, size);
  const auto known = positions == nullptr ? ordered_.end() : ordered_.find({path, size});
  if (known != ordered_.end()) {
    return known->second;
  }
  const Team& planned = planned_team(order_.planned(path), size);
  if (positions == nullptr) {
    return planned;
  }
  Team ordered;
  for (const int member : *positions) {
    ordered.push_back(planned[member]);
  }
  return remember(ordered_, path, std::move(ordered));
}

const Team& Plan::remember(std::map<std::pair<Path, int>, Team>& teams, const Path& path,
                           Team team) {
  bytes_ += bytes_of(path, team);
  const int size = static_cast<int>(team.size());
  return teams.emplace(std::make_pair(path, size), std::move(team)).first->second;
}

const PlannedSlot& Plan::slot_as_planned(const Path& path) {
  if (path.empty()) {
    return root_;
  }
  const Step& last = path.back();
  return planned_team({path.begin(), path.end() - 1}, last.size)[last.number];
}

int Plan::planned_size(const Path& path) {
  return team_size(machine_, rules_, static_cast<int>(path.size()), slot_as_planned(path));
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
  Team planned = plan_team(machine_, rules_, level, slot_as_planned(path), size);
  return remember(teams_, path, std::move(planned));
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

Plan::Primaries Plan::primaries_on(const Path& path, int size) {
  Primaries primaries;
  primaries.slots = {root_};
  primaries.paths = {{}};
  for (int level = 0;; ++level) {
    for (std::size_t m = 0; m < primaries.slots.size(); ++m) {
      primaries.sizes.push_back(team_size(machine_, rules_, level, primaries.slots[m]));
    }
    const bool last = level == static_cast<int>(path.size());
    primaries.sizes[primaries.own] = last ? size : path[level].size;
    if (last) {
      return primaries;
    }
    std::vector<Team> teams;
    if (is_plain_inner(rules_, level)) {
      teams = plan_level(machine_, rules_, level, primaries.slots, primaries.sizes);
    } else {
      for (std::size_t m = 0; m < primaries.slots.size(); ++m) {
        teams.push_back(plan_team(machine_, rules_, level, primaries.slots[m], primaries.sizes[m]));
      }
    }
    Primaries next;
    for (std::size_t m = 0; m < teams.size(); ++m) {
      if (m == primaries.own) {
        next.own = next.slots.size() + static_cast<std::size_t>(path[level].number);
      }
      for (int i = 0; i < primaries.sizes[m]; ++i) {
        next.slots.push_back(std::move(teams[m][i]));
        next.paths.push_back(primaries.paths[m]);
        next.paths.back().push_back({i, primaries.sizes[m]});
      }
    }
    primaries = std::move(next);
  }
}

const Team& Plan::plain_inner_team(const Path& path, int size) {
  const int level = static_cast<int>(path.size());
  const bool shared = as_specified(path, size);
  Primaries primaries = primaries_on(path, size);
  std::vector<Team> teams = plan_level(machine_, rules_, level, primaries.slots, primaries.sizes);
  const std::size_t before = bytes_;
  for (std::size_t m = 0; m < teams.size(); ++m) {
    if (m == primaries.own || shared) {
      remember(teams_, primaries.paths[m], std::move(teams[m]));
    }
  }
  most_at_once_ = std::max(most_at_once_, bytes_ - before);
  return teams_.at({path, size});
}

machine::Machine slots_for(const Rules& rules, const machine::Topology& topology, int smt,
                           machine::CoreChoice cores) {
  return topology.slots({product(rules), smt, cores});
}

Plan make(const spec::Spec& spec, const machine::Topology& topology, int smt,
          machine::CoreChoice cores, Order order, int quota) {
  Rules rules = make_rules(spec, topology, cores);
  machine::Machine machine = slots_for(rules, topology, smt, cores);
  return {std::move(machine), std::move(rules), std::move(order), quota};
}

std::string sharing_of(Plan& plan, const Path& path, int size) {
  const machine::Machine& machine = plan.machine();
  if (may_share(machine, plan.rules(), static_cast<int>(path.size()), plan.slot_of(path), size)) {
    return "";
  }
  std::vector<bool> used(machine.slots.size(), false);
  long different = 0;
  bool pinned = true;
  for (const PlannedSlot& member : plan.team(path, size)) {
    different += !member.pinned || !used[member.slot] ? 1 : 0;
    used[member.slot] = used[member.slot] || member.pinned;
    pinned = pinned && member.pinned;
  }
  // If the specification has more threads than slots, other teams share these slots.
  const long threads = times(threads_of(path), size);
  const auto slots = static_cast<long>(used.size());
  const long specified = product(plan.rules());
  if (pinned && threads > slots && specified > slots) {
    // Inner teams that are still to come use the same slots.
    return crowd(plan.as_specified(path, size) ? specified : threads, slots);
  }
  return different < size ? crowd(size, different) : "";
}

Plan make_from(const Plan& base, int level, const spec::Spec& spec,
               const machine::Topology& topology, machine::CoreChoice cores) {
  const Rules deeper = make_rules(spec, topology, cores);
  const int kept = std::min(level, static_cast<int>(base.rules().size()));
  Rules rules(base.rules().begin(), base.rules().begin() + kept);
  if (kept < static_cast<int>(deeper.size())) {
    rules.insert(rules.end(), deeper.begin() + kept, deeper.end());
  }
  return {base.machine(), std::move(rules), base.order(), base.quota()};
}

}  // namespace nestbind::plan
