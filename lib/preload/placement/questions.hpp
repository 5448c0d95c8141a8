// SPDX-License-Identifier: BSD-3-Clause
// What programs ask about the places and teams of their threads, and how they change the
// specification while they run. lib/preload/api has the functions that programs call.
#pragma once

#include <nestbind/nestbind.h>
#include <nestbind/topology.h>

#include <cstddef>

#include "planner/planner.hpp"

namespace nestbind::placement {

// Like omp_set_nesting_info and omp_get_nesting_info of nestbind.h, but with the length of `text`.
// change_plan.cpp has these two functions.
int set_specification(const char* text, std::size_t length);
std::size_t get_specification(char* buffer, std::size_t size);

// nestbind_get_place() and nestbind_get_cpus() call these functions.
int get_place(nestbind_place* place);
int get_cpus(int* cpus, int capacity);

struct PlanInForce;

// The distances between the slots of the calling thread's plan. If `plan` is null, the distances
// are between the slots of the machine.
struct Asked {
  int error;  // NESTBIND_OK if the other members are set
  PlanInForce* plan;
  const PlannerApi* planner;
  const PlannerGeometry* geometry;
};
Asked ask_geometry();

// Writes the NUMA node of each of `count` slots, as in nestbind_place. `asked` must have no error.
int nodes_of_slots(const Asked& asked, int* node, int count);

// Functions of nestbind/topology.h call these functions.
int get_slot();
int slot_of_path(const int* path, int level);
int place_of_slot(int slot, nestbind_place* place);
int devices_near(int kind, int slot, nestbind_device* devices, int capacity);

// The calling thread's partition, and the slots of its present or next team.
struct OwnTeam {
  mask::CpuMask partition{};
  int size = 1;
  mask::CpuMask* places = nullptr;  // each member's mask, freed by the caller; null if not planned
};

// Describes the calling thread's present team if it has two or more members, otherwise the thread's
// next team. If the thread has no place in a plan, the partition is all processors that the process
// may use. This partition may point into `buffer`.
OwnTeam own_team(mask::MaskBuffer& buffer);

// Returns the processors that the process may use, or a mask without bits if they are not known.
// The mask may point into `buffer`.
mask::CpuMask process_partition(mask::MaskBuffer& buffer);

}  // namespace nestbind::placement
