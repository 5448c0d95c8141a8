/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts cache lines that go from one NUMA node to another, as if each node had one cache of
 * unlimited size. A line goes to a node that accesses it, if another node has stored to it since
 * the node's last access. */
#ifndef NESTBIND_BENCH_LINES_H
#define NESTBIND_BENCH_LINES_H

#include <stdbool.h>
#include <stdint.h>

enum { kMaxLineNodes = 16, kNoTransfer = -1 };

/* Allocates the state for the lines of this much physical memory; false on failure. */
bool lines_open(uint64_t memory_bytes);

/* Forgets which nodes have which lines. */
void lines_clear(void);

/* Notes an access of a node (below kMaxLineNodes) to a physical address below memory_bytes, from
 * any thread. Returns the node that the line comes from, or kNoTransfer. */
int lines_access(uint64_t address, unsigned node, bool is_store);

#endif
