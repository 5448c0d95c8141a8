// SPDX-License-Identifier: BSD-3-Clause
// libnestbind's functions for the POMP libraries of instrumented programs. The libraries have weak
// references to these functions, so programs without libnestbind run unbound.
#pragma once

#include <stdint.h>

namespace nestbind::pomp {

// Says that there is no word. The members then find the forking thread by its ancestors' numbers.
inline constexpr int64_t kNoWord = 0;

}  // namespace nestbind::pomp

extern "C" {

// The instrumented code passes omp_get_thread_num() of its runtime. Later calls have no effect.
void nestbind_pomp_runtime(int (*omp_get_thread_num)(void));

// Called on the initial thread before main. Gives sizes to a runtime that no other source knows.
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
