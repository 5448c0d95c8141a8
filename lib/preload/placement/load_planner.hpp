// SPDX-License-Identifier: BSD-3-Clause
// Finds and loads libnestbind-planner.so.
#pragma once

#include "planner/planner.hpp"

namespace nestbind::placement {

void find_planner();

// Remember the absolute names of the files in NESTBIND_MACHINE and NESTBIND_ORDER.
void find_source();
void find_order();

const char* source();
const char* order();

// If the planner cannot be loaded, returns null and writes `message`. Do not call this under a
// lock, because another thread may hold the loader's lock and wait for your lock.
const PlannerApi* load_planner(const PlannerOptions& options, PlannerMessage& message);

}  // namespace nestbind::placement
