// SPDX-License-Identifier: BSD-3-Clause
// How nestbind starts in a process: once, by its constructor, or earlier by a fork or a call.
#pragma once

#include "options/settings.hpp"
#include "process/once.hpp"

namespace nestbind::placement {

extern constinit process::Once g_start;
void read_environment();

// Reads the environment and puts its specification in force, once. Other threads wait.
inline void start() {
  g_start.run([] { read_environment(); });
}

// Whether the loader finds functions of other libraries before ours, so that nothing can be bound.
// Only the first call checks this, prints a warning, and reads the settings.
bool is_late();

// Starts all that a specification needs, once. Call this only if is_late() is false. Returns false
// if the runtime is linked into the program, so that nothing can be bound.
bool arm();

// Reads the settings and stops hiding our hooks. Schedules of loops need no specification.
void prepare_for_loops();

// Reads the settings and finds the planner. Questions about the machine need no specification.
void prepare_for_questions();

// Whether the site's settings turn a feature off. Reads the settings.
bool is_off(options::Feature feature);

}  // namespace nestbind::placement
