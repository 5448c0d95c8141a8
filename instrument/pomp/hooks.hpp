// SPDX-License-Identifier: BSD-3-Clause
// What libnestbind offers to the POMP libraries that instrumented programs are linked with. They
// refer to it weakly: without libnestbind in the process, programs run unbound.
#pragma once

#include <stdint.h>

namespace nestbind::pomp {

// No word came with the region: its members look for the forking thread by their ancestors.
inline constexpr int64_t kNoWord = 0;

}  // namespace nestbind::pomp

extern "C" {

// The OpenMP runtime of the instrumented code, by the address of its omp_get_thread_num. The first
// call counts.
void nestbind_pomp_runtime(int (*omp_get_thread_num)(void));

// On the initial thread, between the program's constructors and its main: the sizes are given to an
// OpenMP runtime that no other source knows.
void nestbind_pomp_start(void);

// On the encountering thread, before it asks for the default size of its next team: an owner of the
// plan that is not the initial thread gets the sizes at its first fork.
void nestbind_pomp_sizes(void);

// On the encountering thread, before a region. Returns the word to carry to its members: never
// kNoWord where POMP may be the source that acts.
int64_t nestbind_pomp_fork(void);

// On each member, at the begin and at the end of the region, with the word if it came.
void nestbind_pomp_begin(int64_t word);
void nestbind_pomp_end(int64_t word);

// On the encountering thread, behind a region that it has left without its end, with the word that
// nestbind_pomp_fork has returned.
void nestbind_pomp_cancelled(int64_t word);
}
