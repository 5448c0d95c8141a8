// SPDX-License-Identifier: BSD-3-Clause
// The machine and the order that the user asked for. Both are read once.
#pragma once

#include <string>

#include "machine/hardware.hpp"
#include "machine/machine_topology.hpp"
#include "plan/team_plan.hpp"
#include "planner/planner.hpp"

namespace nestbind::planner {

// Reads the file that NESTBIND_ORDER names into `order`. Returns an empty text on success.
// Otherwise returns the error with its position, and leaves `order` plain.
std::string read_order(const char* file, plan::Order& order);

// Returns a message if a plan cannot use a part of an order, otherwise an empty text.
std::string unused_in(const plan::Order& order, const char* file, plan::Plan& plan);

// The result of find_machine(), or the reason of its failure.
struct Found {
  machine::Hardware hardware;
  int error = NESTBIND_NO_MEMORY;
  PlannerMessage message{};  // the reason, or a warning
  plan::Order order;
  std::string order_file;   // empty if there is no valid order
  std::string order_fault;  // the error in the order; emptied after it was reported
  bool quota_is_told = false;
};

// Implements PlannerApi::find_machine.
void find_machine(const PlannerOptions& options);

// Returns the result of find_machine(), or null before its first call or if memory is short.
Found* found();

// Like found(), but after a failure also sets the error and its message.
Found* found_or_why(int& error, PlannerMessage& message);

// Returns NESTBIND_MACHINE; the text is empty for this machine.
std::string source_of(const PlannerOptions& options);

// Returns the allowed part of the found hardware.
machine::Topology topology_of(const PlannerOptions& options, const machine::Hardware& hardware);

// Reports an error in the order (for the first plan), or a part of it that a plan cannot use.
void tell_of_order(plan::Plan& plan, PlannerMessage& message);

// If there is no other message, reports (once) that a plan has more threads than its quota.
void tell_of_quota(const plan::Plan& plan, PlannerMessage& message);

}  // namespace nestbind::planner
