// SPDX-License-Identifier: BSD-3-Clause
// The file that NESTBIND_ORDER names.
#pragma once

#include <string>

#include "plan/plan.hpp"

namespace nestbind::planner {

// Reads it into `order`. Returns what is wrong with it otherwise, with place and caret, and leaves
// `order` plain; empty where all is good.
std::string read_order(const char* file, plan::Order& order);

// What of an order a plan has no use for (mapping/order_use.hpp); empty where all is of use.
std::string unused_in(const plan::Order& order, const char* file, plan::Plan& plan);

}  // namespace nestbind::planner
