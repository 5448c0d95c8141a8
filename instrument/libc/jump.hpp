// SPDX-License-Identifier: BSD-3-Clause
// With these macros a hook jumps to the next function. Such a hook has no stack frame.
#pragma once

#if defined(__clang__)
#define NESTBIND_JUMPS
#define NESTBIND_JUMP [[clang::musttail]]
#else
#define NESTBIND_JUMPS __attribute__((optimize("O2")))
#define NESTBIND_JUMP
#endif
