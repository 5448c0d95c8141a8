// SPDX-License-Identifier: BSD-3-Clause
// The machine and the order of members, from the user's settings. Both are read once.
#pragma once

#include <string>

#include "machine/hardware.hpp"
#include "machine/machine_topology.hpp"
#include "plan/team_plan.hpp"
#include "planner/planner.hpp"

namespace nestbind::planner {

// Returns an empty text on success. Otherwise returns the error with its position, and leaves
// `order` plain.
std::string read_order(const char* file, plan::Order& order);

std::string unused_in(const plan::Order& order, const char* file, plan::Plan& plan);

struct Found {
  machine::Hardware hardware;
  int error = NESTBIND_NO_MEMORY;
  PlannerMessage message{};
  plan::Order order;
  std::string order_file;   // empty if there is no valid order
  std::string order_fault;  // empty after the report
  bool quota_is_told = false;
};

void find_machine(const PlannerOptions& options);

// Returns the result of find_machine(), or null before its first call or if memory is short.
Found* found();

// Like found(), but after a failure also sets the error and its message.
Found* found_or_why(int& error, PlannerMessage& message);

std::string source_of(const PlannerOptions& options);

machine::Topology topology_of(const PlannerOptions& options, const machine::Hardware& hardware);

// Reports an error in the order, once. If there is no error, reports a team that the plan cannot
// use.
void tell_of_order(plan::Plan& plan, PlannerMessage& message);

// If there is no other message, reports (once) that a plan has more threads than its quota.
void tell_of_quota(const plan::Plan& plan, PlannerMessage& message);

}  // namespace nestbind::planner
