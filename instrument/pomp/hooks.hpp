// SPDX-License-Identifier: BSD-3-Clause
// libnestbind's functions for the POMP libraries of instrumented programs. The libraries have weak
// references to these functions, so programs without libnestbind run unbound.
#pragma once

#include <stdint.h>

namespace nestbind::pomp {

inline constexpr int64_t kNoWord = 0;

}  // namespace nestbind::pomp

extern "C" {

// A POMP library passes omp_get_thread_num() of the program's runtime. Later calls have no effect.
void nestbind_pomp_runtime(int (*omp_get_thread_num)(void));

// Called on the initial thread before main. Sets the team sizes of the program's runtime.
void nestbind_pomp_start(void);

// Called on the encountering thread before it asks for the default size of its next team. If the
// thread owns the plan and is not the initial thread, it gets the sizes at its first fork.
void nestbind_pomp_sizes(void);

// Called on the encountering thread before a region. Returns a word for the members, or kNoWord if
// POMP does not act or there is no memory.
int64_t nestbind_pomp_fork(void);

// Called on each member at the region's begin and end. `word` is the result of
// nestbind_pomp_fork(), or kNoWord.
void nestbind_pomp_begin(int64_t word);
void nestbind_pomp_end(int64_t word);

// Called on the encountering thread after a cancelled region, because the region has no end. `word`
// is the result of nestbind_pomp_fork().
void nestbind_pomp_cancelled(int64_t word);
}
