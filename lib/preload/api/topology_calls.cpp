// SPDX-License-Identifier: BSD-3-Clause
// The C interface of the machine's topology: include/nestbind/topology.h.
#include <nestbind/topology.h>

#include "placement/questions.hpp"

#define NESTBIND_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

template <typename Answer, typename Question>
Answer ask(Answer unknown, Question question) {
  const nestbind::placement::Asked asked = nestbind::placement::ask_geometry();
  return asked.error == NESTBIND_OK ? question(*asked.planner, asked.geometry) : unknown;
}

using Planner = nestbind::PlannerApi;
using Geometry = const nestbind::PlannerGeometry*;

bool is_room(const int* numbers, int count) {
  return count == 0 || (count > 0 && numbers != nullptr);
}

}  // namespace

NESTBIND_EXPORT int nestbind_topology_slots(void) {
  return ask(-1, [](const Planner& planner, Geometry geometry) { return planner.slots(geometry); });
}

NESTBIND_EXPORT int nestbind_topology_dims(int* dims, int capacity) {
  return !is_room(dims, capacity) ? -1 : ask(-1, [&](const Planner& planner, Geometry geometry) {
    return planner.dims(geometry, dims, capacity);
  });
}

NESTBIND_EXPORT int nestbind_topology_coordinates(int slot, int* coordinates, int capacity) {
  return !is_room(coordinates, capacity)
             ? -1
             : ask(-1, [&](const Planner& planner, Geometry geometry) {
                 return planner.coordinates(geometry, slot, coordinates, capacity);
               });
}

NESTBIND_EXPORT int nestbind_topology_slot(const int* coordinates, int count) {
  return !is_room(coordinates, count) ? -1
                                      : ask(-1, [&](const Planner& planner, Geometry geometry) {
                                          return planner.slot(geometry, coordinates, count);
                                        });
}

NESTBIND_EXPORT int nestbind_topology_hops(int a, int b) {
  return ask(
      -1, [&](const Planner& planner, Geometry geometry) { return planner.hops(geometry, a, b); });
}

NESTBIND_EXPORT int nestbind_topology_levels(int a, int b) {
  return ask(-1, [&](const Planner& planner, Geometry geometry) {
    return planner.levels(geometry, a, b);
  });
}

NESTBIND_EXPORT double nestbind_topology_distance(int from, int to) {
  return ask(-1.0, [&](const Planner& planner, Geometry geometry) {
    return planner.distance(geometry, from, to);
  });
}

NESTBIND_EXPORT double nestbind_topology_numa_factor(int from, int to) {
  return ask(-1.0, [&](const Planner& planner, Geometry geometry) {
    return planner.numa_factor(geometry, from, to);
  });
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
  return !is_room(slots, count) ? -1 : ask(-1, [&](const Planner& planner, Geometry geometry) {
    return planner.closest(geometry, root, slots, count);
  });
}

NESTBIND_EXPORT int nestbind_get_slot(void) { return nestbind::placement::get_slot(); }

NESTBIND_EXPORT int nestbind_slot_of_path(const int* path, int level) {
  return nestbind::placement::slot_of_path(path, level);
}

NESTBIND_EXPORT int nestbind_place_of_slot(int slot, struct nestbind_place* place) {
  return nestbind::placement::place_of_slot(slot, place);
}
