// SPDX-License-Identifier: BSD-3-Clause
// The machine and the order that the user asked for. Both are read once.
#pragma once

#include <string>

#include "machine/hardware.hpp"
#include "machine/machine_topology.hpp"
#include "plan/team_plan.hpp"
#include "planner/planner.hpp"

namespace nestbind::planner {

// Reads the file that NESTBIND_ORDER names into `order`. Returns an empty text on success;
// otherwise says what is wrong, with place and caret, and leaves `order` plain.
std::string read_order(const char* file, plan::Order& order);

// Says which part of an order a plan cannot use (mapping/order_text.hpp). Empty if all is usable.
std::string unused_in(const plan::Order& order, const char* file, plan::Plan& plan);

// The result of find_machine(), or the reason of its failure.
struct Found {
  machine::Hardware hardware;
  int error = NESTBIND_NO_MEMORY;
  PlannerMessage message{};  // the reason, or a warning
  plan::Order order;
  std::string order_file;   // empty: there is no valid order
  std::string order_fault;  // what is wrong with the order; emptied after it was reported
  bool quota_is_told = false;
};

// As PlannerApi::find_machine.
void find_machine(const PlannerOptions& options);

// The result of find_machine(). Null if it was not called yet, or if there was no memory.
Found* found();

// The same as found(), but after a failure it also sets the error and its message.
Found* found_or_why(int& error, PlannerMessage& message);

// NESTBIND_MACHINE; empty: this machine.
std::string source_of(const PlannerOptions& options);

// The allowed part of the found hardware.
machine::Topology topology_of(const PlannerOptions& options, const machine::Hardware& hardware);

// Reports a fault in the order (for the first plan), and which part of it a plan cannot use.
void tell_of_order(plan::Plan& plan, PlannerMessage& message);

// Reports once, if there is no other message, that a plan has more threads than its quota.
void tell_of_quota(const plan::Plan& plan, PlannerMessage& message);

}  // namespace nestbind::planner
