/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts cache lines that go from one NUMA node to another. Each node counts as one cache of
 * unlimited size. Let node A access a line. If node B has stored to this line since A's
 * previous access, the line goes from B to A. */
#ifndef NESTBIND_BENCH_LINES_H
#define NESTBIND_BENCH_LINES_H

#include <stdbool.h>
#include <stdint.h>

enum { kMaxLineNodes = 16, kNoTransfer = -1 };

/* Allocates the state for all lines of a physical memory of this size. Returns false on failure. */
bool lines_open(uint64_t memory_bytes);

/* Forgets which nodes have which lines. */
void lines_clear(void);

/* Records an access of a node (below kMaxLineNodes) to a physical address below memory_bytes. Any
 * thread may call this function. Returns the node that the line comes from, or kNoTransfer. */
int lines_access(uint64_t address, unsigned node, bool is_store);

#endif
