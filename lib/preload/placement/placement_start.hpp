// SPDX-License-Identifier: BSD-3-Clause
// How nestbind begins in a process: once, at the first of its constructor, a fork, or a call.
#pragma once

#include "options/settings.hpp"
#include "process/once.hpp"

namespace nestbind::placement {

extern constinit process::Once g_start;
void read_environment();

// Reads the environment, and puts its specification in force. Only the first call does anything;
// others wait until it has.
inline void start() {
  g_start.run([] { read_environment(); });
}

// Whether other libraries have the functions that we should stand before, and nothing can be bound.
// Only the first call looks, and says so; it reads the settings.
bool is_late();

// Something is specified, and we are not late: whoever waits for that is told. Only the first call
// does anything. Returns false if the program contains its runtime, so that nothing is bound.
bool arm();

// Loops are to be shared, with or without a specification: the settings are read, and what stands
// before the runtimes' functions does so.
void prepare_for_loops();

// Somebody asks of the machine, with or without a specification: the settings are read, and where
// the planner is.
void prepare_for_questions();

// Whether the site has turned a feature off; the settings are read.
bool is_off(options::Feature feature);

}  // namespace nestbind::placement
