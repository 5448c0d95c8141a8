/* SPDX-License-Identifier: BSD-3-Clause */
/* The address ranges of a program's arrays. Only one thread at a time may change the ranges. Other
 * threads may read at the same time, because arrays are registered outside of the timed part. */
#ifndef NESTBIND_BENCH_RANGES_H
#define NESTBIND_BENCH_RANGES_H

#include <stdbool.h>
#include <stdint.h>

enum { kMaxRanges = 4096 };

/* Adds the bytes from `begin` to `last`, both included. */
bool ranges_add(uint64_t begin, uint64_t last);

void ranges_clear(void);

bool ranges_contain(uint64_t address);

#endif
