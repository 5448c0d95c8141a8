/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts cache lines that go from one NUMA node to another. README.md has an example. */
#ifndef NESTBIND_BENCH_LINES_H
#define NESTBIND_BENCH_LINES_H

#include <stdbool.h>
#include <stdint.h>

enum { kMaxLineNodes = 16, kNoTransfer = -1 };

bool lines_open(uint64_t memory_bytes);

void lines_clear(void);

/* Records an access of a node (below kMaxLineNodes) to a physical address below memory_bytes. Any
 * thread may call this function. Returns the node that the line comes from, or kNoTransfer. */
int lines_access(uint64_t address, unsigned node, bool is_store);

#endif
