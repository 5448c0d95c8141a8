// SPDX-License-Identifier: BSD-3-Clause
// For hooks that jump to the next function and have no stack frame, also at -O0.
#pragma once

#if defined(__clang__)
#define NESTBIND_JUMPS
#define NESTBIND_JUMP [[clang::musttail]]
#else
#define NESTBIND_JUMPS __attribute__((optimize("O2")))
#define NESTBIND_JUMP
#endif
