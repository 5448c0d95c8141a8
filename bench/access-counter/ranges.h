/* SPDX-License-Identifier: BSD-3-Clause */
/* The address ranges of a program's arrays. Only one thread at a time may change the ranges. A
 * reader that runs at the same time perhaps does not see the change. This does no harm, because
 * programs register their arrays outside of the timed part. */
#ifndef NESTBIND_BENCH_RANGES_H
#define NESTBIND_BENCH_RANGES_H

#include <stdbool.h>
#include <stdint.h>

enum { kMaxRanges = 4096 };

/* Adds the bytes from `begin` to `last`, both included. Returns false if there is no room. */
bool ranges_add(uint64_t begin, uint64_t last);

/* Forgets all ranges. */
void ranges_clear(void);

/* Whether an address is in one of the ranges. */
bool ranges_contain(uint64_t address);

#endif
