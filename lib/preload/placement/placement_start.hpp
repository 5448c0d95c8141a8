// SPDX-License-Identifier: BSD-3-Clause
// How nestbind starts in a process: once, by its constructor, or earlier by a fork or a call. And
// how it starts in a child of fork().
#pragma once

#include "options/settings.hpp"
#include "process/once.hpp"

namespace nestbind::placement {

extern constinit process::Once g_start;
void read_environment();

// Reads the environment and puts its specification in force, once.
inline void start() {
  g_start.run([] { read_environment(); });
}

// True if the loader finds functions of other libraries before ours. Then the first call prints a
// warning.
bool is_late();

// Call this only if is_late() is false. Returns false if the runtime is linked into the program.
bool arm();

// Reads the settings and stops hiding our hooks.
void prepare_for_loops();

// Reads the settings and finds the planner.
void prepare_for_questions();

bool is_off(options::Feature feature);

// Does the work of the fork handlers in a child that did not run them. After fork(), the only
// thread of the child gets its free mask.
void free_child();

}  // namespace nestbind::placement
