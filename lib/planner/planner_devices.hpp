// SPDX-License-Identifier: BSD-3-Clause
// The devices near to slots, as C types for libnestbind.so.
#pragma once

#include "planner/planner.hpp"

namespace nestbind::planner {

// Implements PlannerApi::devices.
int devices(const PlannerOptions* options, int kind, const CpuMask& cpus,
            const PlannerGeometry* geometry, int slot, nestbind_device* found, int capacity);

}  // namespace nestbind::planner
