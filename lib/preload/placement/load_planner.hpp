// SPDX-License-Identifier: BSD-3-Clause
// Finds and loads libnestbind-planner.so, out of the program's sight.
#pragma once

#include "planner/planner.hpp"

namespace nestbind::placement {

// Remembers where this library is: beside it, and nowhere else, is the planner.
void find_planner();

// Remember what NESTBIND_MACHINE and NESTBIND_ORDER stood for when the process was started: the
// program goes to other folders.
void find_source();
void find_order();

// As they were found: the name of a file is absolute. Null: not set.
const char* source();
const char* order();

// Null, with a message, where it cannot be loaded. It then has the machine, or knows why not. Not
// to be called under a lock: another thread may hold the loader's and wait for that one.
const PlannerApi* load_planner(const PlannerOptions& options, PlannerMessage& message);

}  // namespace nestbind::placement
