// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "worksharing/schedule_in_force.hpp"

namespace nestbind::worksharing {

// What was measured of all loops, as NESTBIND_REPORT asks for it.
void report_measured_loops(const InForce& schedule);

}  // namespace nestbind::worksharing
