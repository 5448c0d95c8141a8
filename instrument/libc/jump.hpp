// SPDX-License-Identifier: BSD-3-Clause
// For functions that end in a jump to the next function, not in a call, so that their stack frame
// is gone by then. Also in a build without optimisation.
#pragma once

#if defined(__clang__)
#define NESTBIND_JUMPS
#define NESTBIND_JUMP [[clang::musttail]]
#else
#define NESTBIND_JUMPS __attribute__((optimize("O2")))
#define NESTBIND_JUMP
#endif
