// SPDX-License-Identifier: BSD-3-Clause
#include "plan/order.hpp"

namespace nestbind::plan {

namespace {

const Order::Positions* find(const Order::Teams& teams, const std::vector<int>& primary, int size) {
  const auto team = teams.find(primary);
  const bool fits = team != teams.end() && team->second.size() == static_cast<std::size_t>(size);
  return fits ? &team->second : nullptr;
}

}  // namespace

const Order::Positions* Order::positions_of(const Path& path, int size) const {
  if (is_plain()) {
    return nullptr;
  }
  std::vector<int> primary;
  for (const Step& step : path) {
    primary.push_back(step.number);
  }
  return find(teams_, primary, size);
}

Path Order::planned(const Path& path) const {
  if (is_plain()) {
    return path;
  }
  Path planned = path;
  std::vector<int> primary;
  for (Step& step : planned) {
    const Positions* const positions = find(teams_, primary, step.size);
    primary.push_back(step.number);
    step.number = positions == nullptr ? step.number : (*positions)[step.number];
  }
  return planned;
}

}  // namespace nestbind::plan
