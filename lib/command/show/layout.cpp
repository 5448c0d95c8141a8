// SPDX-License-Identifier: BSD-3-Clause
#include "show/layout.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "plan/team_plan.hpp"
#include "show/texts.hpp"

namespace nestbind::show {

namespace {

std::vector<int> numbers_of(const plan::Path& path) {
  std::vector<int> numbers;
  numbers.reserve(path.size());
  for (const plan::Step& step : path) {
    numbers.push_back(step.number);
  }
  return numbers;
}

// A team of one thread binds its thread only if its size is the number 1 in the specification.
bool is_bound(const plan::Path& path, const spec::Spec& spec) {
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i].size > 1 || (static_cast<int>(i) < spec.levels && spec.level[i].size == 1)) {
      return true;
    }
  }
  return false;
}

std::vector<plan::Path> plan_level(plan::Plan& plan, const spec::Spec& spec,
                                   const std::vector<plan::Path>& primaries, int forked,
                                   LevelRows& rows, std::string& warning) {
  std::vector<plan::Path> members;
  for (const plan::Path& primary : primaries) {
    const int size = forked > 0 ? forked : plan.next_size(primary);
    TeamRow row{numbers_of(primary), {}, true};
    int number = 0;
    for (const plan::PlannedSlot& planned : plan.team(primary, size)) {
      row.slots.push_back(planned.slot);
      members.push_back(primary);
      members.back().push_back({number++, size});
    }
    row.is_bound = is_bound(members.back(), spec);
    warning = warning.empty() ? plan::sharing_of(plan, primary, size) : warning;
    rows.teams.push_back(std::move(row));
  }
  return members;
}

// For "auto" the program's depth is not known, so it counts as 1.
int levels_of(const spec::Spec& spec, const std::vector<int>& shape) {
  if (!shape.empty()) {
    return static_cast<int>(shape.size());
  }
  return spec.is_auto ? 1 : spec.levels;
}

}  // namespace

Layout make_layout(const spec::Spec& spec, const machine::Topology& topology, int smt,
                   machine::CoreChoice cores, const plan::Order& order,
                   const std::vector<int>& shape, int quota) {
  plan::Plan plan = plan::make(spec, topology, smt, cores, order, quota);

  Layout layout;
  layout.summary = topology.summary();
  layout.spec = canonical(spec);
  layout.quota = quota;
  layout.machine = plan.machine();
  std::vector<plan::Path> paths(1);
  std::string warning;
  for (int level = 0; level < levels_of(spec, shape); ++level) {
    LevelRows& rows = layout.levels.emplace_back();
    rows.rule = canonical(spec.level[std::min(level, spec.levels - 1)]);
    paths = plan_level(plan, spec, paths, shape.empty() ? 0 : shape[level], rows, warning);
  }
  if (spec.is_off()) {
    paths.clear();
  }
  for (const plan::Path& path : paths) {
    const plan::PlannedSlot& planned = plan.slot_of(path);
    layout.threads.push_back(
        {numbers_of(path), planned.slot, planned.partition, is_bound(path, spec)});
  }
  if (!warning.empty() && !shape.empty()) {
    std::set<int> slots;
    for (const ThreadRow& thread : layout.threads) {
      slots.insert(thread.slot);
    }
    warning =
        plan::crowd(static_cast<long>(layout.threads.size()), static_cast<long>(slots.size()));
  }
  if (!warning.empty()) {
    layout.warnings.push_back(warning);
  }
  const std::string over = plan::over_quota(plan.rules(), quota);
  if (shape.empty() && !over.empty()) {
    layout.warnings.push_back(over);
  }
  return layout;
}

}  // namespace nestbind::show
