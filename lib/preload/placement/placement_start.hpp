// SPDX-License-Identifier: BSD-3-Clause
// How nestbind starts in a process: once, by its constructor, a fork or a call, whichever
// comes first.
#pragma once

#include "omp/unseen.hpp"
#include "options/settings.hpp"
#include "process/once.hpp"

namespace nestbind::placement {

extern constinit process::Once g_start;
void read_environment();

// Reads the environment and puts its specification in force, once. Other threads wait.
inline void start() {
  g_start.run([] { read_environment(); });
}

// Whether other libraries' functions are found before ours, so that nothing can be bound. Only the
// first call checks this, and warns. It also reads the settings.
bool is_late();

// Call this if there is a specification, and is_late() is false. Starts all that a specification
// needs, once. Returns false if the program contains its runtime, so that nothing can be bound.
bool arm();

// For schedules of loops, even without a specification: reads settings, stops hiding our hooks.
void prepare_for_loops();

// For questions about the machine, even without a specification: reads settings, finds the planner.
void prepare_for_questions();

// Whether this process reports faults of the environment, after its settings are read. A shell
// between user and program has no runtime: the program itself will report them.
inline bool reports_faults() { return options::settings().strict || omp::has_runtime_at_start(); }

// Whether the site's settings turn a feature off. Reads the settings.
bool is_off(options::Feature feature);

}  // namespace nestbind::placement
