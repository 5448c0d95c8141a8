/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts cache lines that go from one NUMA node to another. Each node counts as one cache of
 * unlimited size. A line goes to node A from the node that has stored to the line since A's
 * previous access. */
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
