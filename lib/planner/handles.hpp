// SPDX-License-Identifier: BSD-3-Clause
// The planner's own data: the machines that open() has prepared, and the plans.
#pragma once

#include <exception>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "machine/machine_topology.hpp"
#include "plan/team_plan.hpp"
#include "planner/masks.hpp"
#include "planner/planner.hpp"
#include "planner/planner_geometry.hpp"

namespace nestbind {

// Objects of this type are never freed, because threads may use them while the process ends.
struct Taken {
  CpuMask allowed;  // no bits if all processors are allowed
  machine::Topology topology;
  int smt;
  machine::CoreChoice cores;
  Taken* next;
  planner::Masks masks{topology.cpu_limit()};
  std::vector<unsigned char> distances = {};
  // the geometry without a plan; null before its first use
  std::unique_ptr<planner::Geometry> geometry = nullptr;
};

struct PlanHandle {
  PlanHandle(Taken& taken_from, plan::Plan made) : taken(&taken_from), plan(std::move(made)) {}
  Taken* taken;
  plan::Plan plan;
  std::unique_ptr<planner::Geometry> geometry = nullptr;
  std::unique_ptr<planner::Occupants> occupants = nullptr;
};

namespace planner {

inline void tell(PlannerMessage& message, const std::string& text) {
  // snprintf would need 2 KiB of a stack that may be small.
  message.text[text.copy(message.text, sizeof message.text - 1)] = '\0';
}

template <typename Action>
int guarded(PlannerMessage& message, Action action) noexcept {
  message.text[0] = '\0';
  message.is_fault = false;
  message.is_of_all = false;
  try {
    return action();
  } catch (const std::bad_alloc&) {
    return NESTBIND_NO_MEMORY;
  } catch (const std::exception& fault) {
    tell(message, fault.what());
    return NESTBIND_NO_MACHINE;
  }
}

}  // namespace planner
}  // namespace nestbind
