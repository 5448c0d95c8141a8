// SPDX-License-Identifier: BSD-3-Clause
// Functions that end in a jump to the next one, not in a call: what they leave on the stack is gone
// by then. In a build without optimisation, too.
#pragma once

#if defined(__clang__)
#define NESTBIND_JUMPS
#define NESTBIND_JUMP [[clang::musttail]]
#else
#define NESTBIND_JUMPS __attribute__((optimize("O2")))
#define NESTBIND_JUMP
#endif
