/* SPDX-License-Identifier: BSD-3-Clause */
/* Cache lines that go from one NUMA node to another, as if each node had one cache of unlimited
 * size: a line that a node has stored to, and that another node accesses which has not had it
 * since. */
#ifndef NESTBIND_BENCH_LINES_H
#define NESTBIND_BENCH_LINES_H

#include <stdbool.h>
#include <stdint.h>

enum { kMaxLineNodes = 16, kNoTransfer = -1 };

/* Makes room for the lines of so many bytes of physical memory; false if there is none. */
bool lines_open(uint64_t memory_bytes);

/* Forgets who has which line. */
void lines_clear(void);

/* Notes an access of a node (below kMaxLineNodes) to a physical address below memory_bytes, from
 * any thread. Returns the node that the line comes from, or kNoTransfer. */
int lines_access(uint64_t address, unsigned node, bool is_store);

#endif
