// SPDX-License-Identifier: BSD-3-Clause
// The C interface of the machine's topology: include/nestbind/topology.h.
#include <nestbind/topology.h>

#include "placement/questions.hpp"

#define NESTBIND_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

using Planner = nestbind::PlannerApi;

// Returns -1 if there is no geometry.
template <auto kQuestion, typename... Arguments>
auto ask(Arguments... arguments) {
  const nestbind::placement::Asked asked = nestbind::placement::ask_geometry();
  const auto question = asked.error == NESTBIND_OK ? asked.planner->*kQuestion : nullptr;
  return question == nullptr ? -1 : question(asked.geometry, arguments...);
}

bool is_room(const int* numbers, int count) {
  return count == 0 || (count > 0 && numbers != nullptr);
}

}  // namespace

NESTBIND_EXPORT int nestbind_topology_slots(void) { return ask<&Planner::slots>(); }

NESTBIND_EXPORT int nestbind_topology_dims(int* dims, int capacity) {
  return is_room(dims, capacity) ? ask<&Planner::dims>(dims, capacity) : -1;
}

NESTBIND_EXPORT int nestbind_topology_coordinates(int slot, int* coordinates, int capacity) {
  return is_room(coordinates, capacity) ? ask<&Planner::coordinates>(slot, coordinates, capacity)
                                        : -1;
}

NESTBIND_EXPORT int nestbind_topology_slot(const int* coordinates, int count) {
  return is_room(coordinates, count) ? ask<&Planner::slot>(coordinates, count) : -1;
}

NESTBIND_EXPORT int nestbind_topology_hops(int a, int b) { return ask<&Planner::hops>(a, b); }

NESTBIND_EXPORT int nestbind_topology_levels(int a, int b) { return ask<&Planner::levels>(a, b); }

NESTBIND_EXPORT double nestbind_topology_distance(int from, int to) {
  return ask<&Planner::distance>(from, to);
}

NESTBIND_EXPORT double nestbind_topology_numa_factor(int from, int to) {
  return ask<&Planner::numa_factor>(from, to);
}

NESTBIND_EXPORT int nestbind_topology_sort(int root, const int* slots, int count, int* order) {
  if (!is_room(slots, count) || !is_room(order, count)) {
    return NESTBIND_BAD_ARGUMENT;
  }
  const nestbind::placement::Asked asked = nestbind::placement::ask_geometry();
  return asked.error != NESTBIND_OK
             ? asked.error
             : asked.planner->sort(asked.geometry, root, slots, count, order);
}

NESTBIND_EXPORT int nestbind_topology_closest(int root, const int* slots, int count) {
  return is_room(slots, count) ? ask<&Planner::closest>(root, slots, count) : -1;
}

NESTBIND_EXPORT int nestbind_get_slot(void) { return nestbind::placement::get_slot(); }

NESTBIND_EXPORT int nestbind_slot_of_path(const int* path, int level) {
  return nestbind::placement::slot_of_path(path, level);
}

NESTBIND_EXPORT int nestbind_place_of_slot(int slot, struct nestbind_place* place) {
  return nestbind::placement::place_of_slot(slot, place);
}

NESTBIND_EXPORT int nestbind_devices(int kind, int slot, struct nestbind_device* devices,
                                     int capacity) {
  const bool is_good = capacity == 0 || (capacity > 0 && devices != nullptr);
  return is_good ? nestbind::placement::devices_near(kind, slot, devices, capacity) : -1;
}
