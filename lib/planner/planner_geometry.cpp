// SPDX-License-Identifier: BSD-3-Clause
#include "planner/planner_geometry.hpp"

#include <algorithm>
#include <cstddef>
#include <new>

namespace nestbind::planner {
namespace {

const topology::Geometry& made(const PlannerGeometry* geometry) {
  return static_cast<const Geometry*>(geometry->made)->geometry();
}

bool has(const topology::Geometry& geometry, int slot) {
  return slot >= 0 && slot < geometry.slots();
}

bool has_both(const topology::Geometry& geometry, int a, int b) {
  return has(geometry, a) && has(geometry, b);
}

bool has_all(const topology::Geometry& geometry, std::span<const int> slots) {
  return std::ranges::all_of(slots, [&](int slot) { return has(geometry, slot); });
}

template <typename List, typename Number>
int hand_over(const List& list, int* to, int capacity, Number number) {
  const int count = static_cast<int>(list.size());
  for (int i = 0; i < std::min(count, capacity); ++i) {
    to[i] = number(list[i]);
  }
  return count;
}

}  // namespace

Occupants occupants_of(plan::Plan& plan) {
  Occupants occupants(plan.machine().slots.size());
  std::vector<plan::Path> primaries(1);
  for (std::size_t level = 0; level < plan.rules().size(); ++level) {
    std::vector<plan::Path> members;
    for (const plan::Path& primary : primaries) {
      const int size = plan.next_size(primary);
      for (int number = 0; number < size; ++number) {
        members.push_back(primary);
        members.back().push_back({number, size});
      }
    }
    primaries = std::move(members);
  }
  for (const plan::Path& path : primaries) {
    std::vector<int>& occupant = occupants[plan.slot_of(path).slot];
    for (const plan::Step& step : path) {
      if (occupant.size() < path.size()) {
        occupant.push_back(step.number);
      }
    }
  }
  return occupants;
}

int slot_of_path(plan::Plan& plan, const int* path, int depth) {
  plan::Path steps;
  for (int level = 0; level < depth; ++level) {
    const int size = plan.next_size(steps);
    if (path[level] < 0 || path[level] >= size) {  // beyond the specification, size is 0
      return -1;
    }
    steps.push_back({path[level], size});
  }
  return plan.slot_of(steps).slot;
}

bool at_slot(const Geometry& geometry, const Occupants* occupants, int slot, PlannedSlot* found) {
  if (!has(geometry.geometry(), slot)) {
    return false;
  }
  const machine::Slot& here = geometry.machine().slots[slot];
  *found = {};
  found->core = here.core;
  found->package = here.package;
  found->numa = here.numa;
  found->numa_logical = here.numa_logical;
  if (occupants != nullptr) {
    const std::vector<int>& path = (*occupants)[slot];
    found->has_thread = !path.empty();
    found->depth = static_cast<int>(path.size());
    std::ranges::copy(path, found->path);
  }
  return true;
}

int slots(const PlannerGeometry* geometry) { return made(geometry).slots(); }

int dims(const PlannerGeometry* geometry, int* sizes, int capacity) {
  return hand_over(made(geometry).coordinates().dimensions(), sizes, capacity,
                   [](const topology::Dimension& dimension) { return dimension.size; });
}

int coordinates(const PlannerGeometry* geometry, int slot, int* coordinates, int capacity) {
  return !has(made(geometry), slot) ? -1
                                    : hand_over(made(geometry).coordinates().of(slot), coordinates,
                                                capacity, [](int number) { return number; });
}

int slot(const PlannerGeometry* geometry, const int* coordinates, int count) {
  return made(geometry).coordinates().slot({coordinates, static_cast<std::size_t>(count)});
}

int hops(const PlannerGeometry* geometry, int a, int b) {
  return has_both(made(geometry), a, b) ? made(geometry).hops(a, b) : -1;
}

int levels(const PlannerGeometry* geometry, int a, int b) {
  return has_both(made(geometry), a, b) ? made(geometry).levels(a, b) : -1;
}

double distance(const PlannerGeometry* geometry, int from, int to) {
  return has_both(made(geometry), from, to) ? made(geometry).distance(from, to) : -1;
}

double numa_factor(const PlannerGeometry* geometry, int from, int to) {
  return made(geometry).numa_factor(from, to);
}

int sort(const PlannerGeometry* geometry, int root, const int* slots, int count, int* order) try {
  const std::span<const int> given(slots, static_cast<std::size_t>(count));
  if (!has(made(geometry), root) || !has_all(made(geometry), given)) {
    return NESTBIND_BAD_ARGUMENT;
  }
  std::ranges::copy(topology::nearest_first(made(geometry), root, given), order);
  return NESTBIND_OK;
} catch (const std::bad_alloc&) {
  return NESTBIND_NO_MEMORY;
}

int closest(const PlannerGeometry* geometry, int root, const int* slots, int count) try {
  const std::span<const int> given(slots, static_cast<std::size_t>(count));
  return has(made(geometry), root) && has_all(made(geometry), given)
             ? topology::closest(made(geometry), root, given)
             : -1;
} catch (const std::bad_alloc&) {
  return -1;
}

}  // namespace nestbind::planner
