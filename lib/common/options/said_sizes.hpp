// SPDX-License-Identifier: BSD-3-Clause
// Team sizes that nestbind says in the environment. NESTBIND_RUN remembers them, and the user's own
// values from before:
//
//     PID.TIME;OMP_NUM_THREADS;OMP_MAX_ACTIVE_LEVELS;THREADS BEFORE;LEVELS BEFORE;OMP_NESTED BEFORE
//
// The first field names the outermost `nestbind run`. It is empty if there is none. Other fields
// are empty if the variable was not set. So a process sees whether a script or a program has set
// OMP_NUM_THREADS afterwards: then that value wins.
#pragma once

namespace nestbind::options {

inline constexpr char kRunName[] = "NESTBIND_RUN";

// Sets OMP_NUM_THREADS and OMP_MAX_ACTIVE_LEVELS to these numbers, if they are not 0, and
// NESTBIND_RUN. If nestbind has said sizes before, the user's values are restored first. Only the
// size of the outermost team is said: inner teams have their sizes from the process, which can also
// change them back. If the user has a list of sizes, it stays, and nothing is said. `is_run` is
// true in `nestbind run`.
void say_sizes(int threads, int levels, bool is_run);

// Restores the user's values of the variables above, if nestbind has said sizes that are still set.
void take_back_sizes();
bool levels_are_said();

bool run_is_named();

// True if the environment has the size of the outermost team from nestbind.
bool sizes_are_said();

// True if OMP_NUM_THREADS has another value than nestbind has found or said.
bool threads_are_set_later();

// Returns a variable's value as the user has set it: OMP_NUM_THREADS, OMP_MAX_ACTIVE_LEVELS or
// OMP_NESTED. Returns null if it was not set. `room` has the text.
struct UsersValue {
  char room[64];
};
const char* users_value(const char* name, UsersValue& value);

// Returns a variable's value, or null if it is unset or empty, or the program is set-user-ID.
const char* variable(const char* name);

}  // namespace nestbind::options
