// SPDX-License-Identifier: BSD-3-Clause
// Whether an order is for a plan.
#pragma once

#include <string>

#include "plan/plan.hpp"

namespace nestbind::mapping {

// What of an order a plan has no use for, in words: the first of its teams that has another size by
// the specification, or that there is not. Empty where all is of use. plan: in this order.
std::string unused_in(const plan::Order& order, plan::Plan& plan);

}  // namespace nestbind::mapping
