// SPDX-License-Identifier: BSD-3-Clause
// Finds and loads libnestbind-planner.so, with hwloc, out of the program's sight.
#pragma once

#include "plan/planner.hpp"

namespace nestbind::runtime {

// Remembers where this library is, before the program goes to another folder.
void find_planner();

// Null, with a message, where it cannot be loaded.
const PlannerApi* load_planner(PlannerMessage& message);

}  // namespace nestbind::runtime
