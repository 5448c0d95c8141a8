// SPDX-License-Identifier: BSD-3-Clause
// OpenMP runtimes that the process has started with, and whose forks nobody hears of.
#pragma once

namespace nestbind::omp {

// Whether there is any runtime when the process starts, seen or not. Shells and interpreters have
// none. Reads the program's file where no other way tells.
bool has_runtime_at_start();

// Why a runtime that the process has started with cannot be seen, as a text about the program; null
// where it can, or where that cannot be told at once: of a program without a runtime no more is
// read than who it calls.
const char* unseen_at_once();

// The same, told thoroughly.
const char* unseen_at_start();

}  // namespace nestbind::omp
