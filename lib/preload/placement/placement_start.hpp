// SPDX-License-Identifier: BSD-3-Clause
// How nestbind starts in a process: once, by the first of its constructor, a fork, or a call.
#pragma once

#include "options/settings.hpp"
#include "process/once.hpp"

namespace nestbind::placement {

extern constinit process::Once g_start;
void read_environment();

// Reads the environment and puts its specification in force, once; other threads wait for it.
inline void start() {
  g_start.run([] { read_environment(); });
}

// Whether other libraries' functions are found before ours, so that nothing can be bound. Only the
// first call looks, and warns; it also reads the settings.
bool is_late();

// Something is specified, and is_late() is false: starts what a specification needs, once. Returns
// false if the program contains its runtime, so that nothing is bound.
bool arm();

// To share loops, even without a specification: reads settings, shows functions of runtimes' names.
void prepare_for_loops();

// For questions about the machine, even without a specification: reads settings, finds the planner.
void prepare_for_questions();

// Whether the site has turned a feature off; the settings are read.
bool is_off(options::Feature feature);

}  // namespace nestbind::placement
