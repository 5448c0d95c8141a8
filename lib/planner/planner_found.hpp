// SPDX-License-Identifier: BSD-3-Clause
// The machine and the order that the user has asked for, as they were found: once.
#pragma once

#include <string>

#include "machine/hardware.hpp"
#include "machine/machine_topology.hpp"
#include "plan/team_plan.hpp"
#include "planner/planner.hpp"

namespace nestbind::planner {

// Reads the file that NESTBIND_ORDER names into `order`. Returns what is wrong with it otherwise,
// with place and caret, and leaves `order` plain; empty where all is good.
std::string read_order(const char* file, plan::Order& order);

// What of an order a plan has no use for (mapping/order_text.hpp); empty where all is of use.
std::string unused_in(const plan::Order& order, const char* file, plan::Plan& plan);

// What find_machine() found, or why it did not.
struct Found {
  machine::Hardware hardware;
  int error = NESTBIND_NO_MEMORY;
  PlannerMessage message{};  // why not, or a warning
  plan::Order order;
  std::string order_file;   // empty: none that is good
  std::string order_fault;  // what is wrong with it; empty once that is told
  bool quota_is_told = false;
};

// As PlannerApi::find_machine.
void find_machine(const PlannerOptions& options);

// What it found; null before, and without memory.
Found* found();

// The same. Null, and an error with a message, where there is nothing.
Found* found_or_why(int& error, PlannerMessage& message);

// NESTBIND_MACHINE; empty: this machine.
std::string source_of(const PlannerOptions& options);

// What is allowed of the hardware that was found.
machine::Topology topology_of(const PlannerOptions& options, const machine::Hardware& hardware);

// For the first plan what is wrong with the order, for each what it has no use for.
void tell_of_order(plan::Plan& plan, PlannerMessage& message);

// Once, if there is no other message: that a plan has more threads than its quota.
void tell_of_quota(const plan::Plan& plan, PlannerMessage& message);

}  // namespace nestbind::planner
