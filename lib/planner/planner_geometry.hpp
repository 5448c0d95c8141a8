// SPDX-License-Identifier: BSD-3-Clause
// Distances between slots, and the threads on the slots, as C types for libnestbind.so.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "machine/hardware.hpp"
#include "plan/team_plan.hpp"
#include "planner/planner.hpp"
#include "topology/geometry.hpp"

namespace nestbind::planner {

// Never changes after its construction, so any thread may use it.
class Geometry {
 public:
  Geometry(const machine::Machine& machine, const machine::NumaNodes& nodes,
           const unsigned long* allowed)
      : machine_(machine), geometry_(machine_, nodes), border_{allowed, this} {}
  Geometry(const Geometry&) = delete;
  Geometry& operator=(const Geometry&) = delete;

  const machine::Machine& machine() const { return machine_; }
  const topology::Geometry& geometry() const { return geometry_; }
  const PlannerGeometry& border() const { return border_; }

 private:
  machine::Machine machine_;
  topology::Geometry geometry_;
  PlannerGeometry border_;
};

// The path of the thread on each slot. The threads are those of the specification's last level. If
// a slot has several threads, the first in path order is used. If a slot has no thread, the path is
// empty.
using Occupants = std::vector<std::vector<int>>;
Occupants occupants_of(plan::Plan& plan);

// Implements PlannerApi::slot_of_path.
int slot_of_path(plan::Plan& plan, const int* path, int depth);

// Implements PlannerApi::at_slot. occupants: null without a plan.
bool at_slot(const Geometry& geometry, const Occupants* occupants, int slot, PlannedSlot* found);

int slots(const PlannerGeometry* geometry);
int dims(const PlannerGeometry* geometry, int* sizes, int capacity);
int coordinates(const PlannerGeometry* geometry, int slot, int* coordinates, int capacity);
int slot(const PlannerGeometry* geometry, const int* coordinates, int count);
int hops(const PlannerGeometry* geometry, int a, int b);
int levels(const PlannerGeometry* geometry, int a, int b);
double distance(const PlannerGeometry* geometry, int from, int to);
double numa_factor(const PlannerGeometry* geometry, int from, int to);
int sort(const PlannerGeometry* geometry, int root, const int* slots, int count, int* order);
int closest(const PlannerGeometry* geometry, int root, const int* slots, int count);

// Draws where threads may run, and describes the machine for a report.

// Implements PlannerApi::draw. allowed: as for Topology::of. Throws bad_alloc.
char* picture(const machine::Hardware& hardware, const std::optional<std::vector<int>>& allowed,
              std::span<const PlannerOccupant> threads, const PlannerCanvas& canvas);

// Implements PlannerApi::node. If `allowed` is none, the JSON has no "allowed". Throws bad_alloc.
char* node(const machine::Hardware& hardware, const std::optional<std::vector<int>>& allowed);

}  // namespace nestbind::planner
