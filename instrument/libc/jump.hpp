// SPDX-License-Identifier: BSD-3-Clause
// For functions that jump to the next one: their frame is gone then, also without optimisation.
#pragma once

#if defined(__clang__)
#define NESTBIND_JUMPS
#define NESTBIND_JUMP [[clang::musttail]]
#else
#define NESTBIND_JUMPS __attribute__((optimize("O2")))
#define NESTBIND_JUMP
#endif
