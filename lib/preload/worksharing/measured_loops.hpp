// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "worksharing/schedule_in_force.hpp"

namespace nestbind::worksharing {

// Reports the measurements of all loops, as NESTBIND_REPORT asks.
void report_measured_loops(const InForce& schedule);

}  // namespace nestbind::worksharing
