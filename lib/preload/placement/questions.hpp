// SPDX-License-Identifier: BSD-3-Clause
// A program's questions about its threads' places.
#pragma once

#include <nestbind/nestbind.h>
#include <nestbind/topology.h>

#include "planner/planner.hpp"

namespace nestbind::placement {

// Like the functions of nestbind.h with these names.
int get_place(nestbind_place* place);
int get_cpus(int* cpus, int capacity);

struct PlanInForce;

// The distances between the slots of the calling thread's plan, or of the machine without a
// specification.
struct Asked {
  int error;  // all other members are set if this is NESTBIND_OK
  PlanInForce* plan;
  const PlannerApi* planner;
  const PlannerGeometry* geometry;
};
Asked ask_geometry();

// Writes the NUMA node of each of `count` slots, as in nestbind_place.
int nodes_of_slots(const Asked& asked, int* node, int count);

// Like the functions of nestbind/topology.h with these names.
int get_slot();
int slot_of_path(const int* path, int level);
int place_of_slot(int slot, nestbind_place* place);

}  // namespace nestbind::placement
