/* SPDX-License-Identifier: BSD-3-Clause */
/* The traffic matrix: accesses by processor and node, separately for arrays and for other memory.
 */
#ifndef NESTBIND_BENCH_TRAFFIC_H
#define NESTBIND_BENCH_TRAFFIC_H

#include <stdbool.h>
#include <stdint.h>

#include "options.h"

enum { kMaxProcessors = 256 };
enum Kind { kArray, kRest, kKinds };

bool traffic_open(const struct Options *options);
void traffic_close(void);

/* `physical` is UINT64_MAX if the address is not in memory. `processor` is below kMaxProcessors.
 * Only the processor's own thread calls this function. */
void traffic_count(unsigned processor, enum Kind kind, uint64_t physical, uint64_t bytes,
                   bool is_store);

/* traffic_write writes the counts since traffic_begin. */
void traffic_begin(void);
void traffic_write(unsigned label, unsigned section);

#endif
