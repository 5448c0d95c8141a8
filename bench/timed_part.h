/* SPDX-License-Identifier: BSD-3-Clause */
/* Marks the beginning and the end of the timed part for the access counter. Also registers the
 * arrays of the benchmark. */
#ifndef BENCH_TIMED_PART_H
#define BENCH_TIMED_PART_H

#include <stddef.h>

#if defined(__x86_64__)
#include "access-counter/marker.h"
#else
static inline void access_counter_start(void) {}
static inline void access_counter_stop(void) {}
static inline void access_counter_array(const void *begin, size_t bytes) {
  (void)begin;
  (void)bytes;
}
#endif

/* One thread calls timed_part_begin and timed_part_end, while all other threads wait in a
 * barrier. */
static inline void timed_part_begin(void) { access_counter_start(); }
static inline void timed_part_end(void) { access_counter_stop(); }

/* Must be called before the timed part, once for each array, by one thread at a time. */
static inline void timed_part_array(const void *begin, size_t bytes) {
  access_counter_array(begin, bytes);
}

#endif
