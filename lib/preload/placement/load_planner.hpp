// SPDX-License-Identifier: BSD-3-Clause
// Finds and loads libnestbind-planner.so. The program does not see the planner's symbols.
#pragma once

#include "planner/planner.hpp"

namespace nestbind::placement {

// Remembers the planner's path: the planner is in the folder of this library and nowhere else.
void find_planner();

// Remember the files that NESTBIND_MACHINE and NESTBIND_ORDER name when the process starts, because
// the program may change its working directory later.
void find_source();
void find_order();

// Return the values of NESTBIND_MACHINE and NESTBIND_ORDER, with absolute names, or null if unset.
const char* source();
const char* order();

// Loads the planner, which then looks for the machine. If the planner cannot be loaded, returns
// null and writes `message`. Do not call this under a lock: another thread may hold the loader's
// lock and wait for the caller's lock.
const PlannerApi* load_planner(const PlannerOptions& options, PlannerMessage& message);

}  // namespace nestbind::placement
