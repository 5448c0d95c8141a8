/* SPDX-License-Identifier: BSD-3-Clause */
/* The traffic matrix: accesses by processor and node, kept apart for arrays and the rest. */
#ifndef NESTBIND_BENCH_TRAFFIC_H
#define NESTBIND_BENCH_TRAFFIC_H

#include <stdbool.h>
#include <stdint.h>

#include "options.h"

enum { kMaxProcessors = 256 };
enum Kind { kArray, kRest, kKinds };

/* Creates the files of the options; false, with a message, if that cannot be. */
bool traffic_open(const struct Options *options);
void traffic_close(void);

/* Counts one access of so many bytes to a physical address (UINT64_MAX: not memory). Each
 * processor, of those below kMaxProcessors, counts in a thread of its own. */
void traffic_count(unsigned processor, enum Kind kind, uint64_t physical, uint64_t bytes,
                   bool is_store);

/* A section begins; and ends: writes what was counted since, as section `section` with a label. */
void traffic_begin(void);
void traffic_write(unsigned label, unsigned section);

#endif
