// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/order_use.hpp"

#include <optional>

namespace nestbind::mapping {

namespace {

// The specification's path to this master; none where it has no such thread.
std::optional<plan::Path> path_of(const std::vector<int>& master, plan::Plan& plan) {
  plan::Path path;
  for (const int number : master) {
    const int size = plan.next_size(path);
    if (number >= size) {
      return std::nullopt;
    }
    path.push_back({number, size});
  }
  return path;
}

std::string name_of(const std::vector<int>& master) {
  std::string name;
  for (const int number : master) {
    name += (name.empty() ? " of thread " : ".") + std::to_string(number);
  }
  return name.empty() ? "outermost team" : "team" + name;
}

}  // namespace

std::string unused_in(const plan::Order& order, plan::Plan& plan) {
  for (const auto& [master, seats] : order.teams()) {
    const auto path = path_of(master, plan);
    const int size = path ? plan.next_size(*path) : 0;
    if (size != static_cast<int>(seats.size())) {
      return "is for other teams: the " + name_of(master) + " has " + std::to_string(seats.size()) +
             " members there, and " + (size == 0 ? "there is none" : std::to_string(size)) +
             " by the specification; such teams are in the plain order";
    }
  }
  return "";
}

}  // namespace nestbind::mapping
