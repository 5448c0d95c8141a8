// SPDX-License-Identifier: BSD-3-Clause
// One rank's part of a mask that several ranks share.
#pragma once

#include "mask/cpu_mask.hpp"
#include "planner/planner.hpp"

namespace nestbind::planner {

// Implements PlannerApi::divide.
int divide(const PlannerOptions& options, const spec::Spec& spec, const PlannerDivision& division,
           mask::MaskBuffer& part, PlannerMessage& message);

}  // namespace nestbind::planner
