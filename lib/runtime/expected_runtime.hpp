// SPDX-License-Identifier: BSD-3-Clause
// The OpenMP runtime that the user wants (NESTBIND_RUNTIME): who tells of its forks (fork.hpp), and
// whether it is the one. The command has looked at what the program starts with; this is for what
// it loads or starts later.
#pragma once

#include "runtime/fork.hpp"

namespace nestbind::runtime {

// On a thread that forks, or will, by the runtime with these calls: warns, once, if it is not the
// one that is wanted. Takes the loader's lock where one is wanted, and never otherwise.
void check_runtime(const OmpCalls& omp);

}  // namespace nestbind::runtime
