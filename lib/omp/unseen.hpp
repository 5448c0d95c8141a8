// SPDX-License-Identifier: BSD-3-Clause
// OpenMP runtimes that the process has started with, and whose forks nobody hears of.
#pragma once

namespace nestbind::omp {

// Whether there is any runtime when the process starts, seen or not. Shells and interpreters have
// none. Reads the program's file where no other way tells.
bool has_runtime_at_start();

// Why the program's own runtime cannot be seen, as a text about the program; null where it can, or
// where that cannot be told at once. Asks the loader little.
const char* unseen_in_program();

// The same of all runtimes that the process has started with, told thoroughly.
const char* unseen_at_start();

}  // namespace nestbind::omp
