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

/* Creates the files that the options name. On failure, writes a message and returns false. */
bool traffic_open(const struct Options *options);
void traffic_close(void);

/* Counts one access of `bytes` bytes to a physical address, which is UINT64_MAX if it is not in
 * memory. Each processor (below kMaxProcessors) has its own thread, which calls this function. */
void traffic_count(unsigned processor, enum Kind kind, uint64_t physical, uint64_t bytes,
                   bool is_store);

/* traffic_begin begins a section. traffic_end writes the counts of the section, with this section
 * number and label.
 */
void traffic_begin(void);
void traffic_write(unsigned label, unsigned section);

#endif
