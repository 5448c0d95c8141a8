/* SPDX-License-Identifier: BSD-3-Clause */
#include "lines.h"

#include <stddef.h>
#include <sys/mman.h>

enum { kLineShift = 6, kOwnerShift = 16 };

/* Each element is for one cache line. Bit N (0 to 15) is set if node N has the line. The bits from
 * kOwnerShift on are 0 if no node has stored to the line. Otherwise they contain 1 + the node of
 * the last store. */
static uint32_t *lines;
static size_t table_bytes;

bool lines_open(uint64_t memory_bytes) {
  table_bytes = (size_t)(memory_bytes >> kLineShift) * sizeof *lines;
  lines = mmap(NULL, table_bytes, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return lines != MAP_FAILED;
}

/* Anonymous memory reads as zero after MADV_DONTNEED. */
void lines_clear(void) { madvise(lines, table_bytes, MADV_DONTNEED); }

int lines_access(uint64_t address, unsigned node, bool is_store) {
  uint32_t *line = &lines[address >> kLineShift];
  const uint32_t mine = UINT32_C(1) << node;
  uint32_t before = __atomic_load_n(line, __ATOMIC_RELAXED);
  uint32_t after;
  do {
    after = is_store ? mine | (node + 1) << kOwnerShift : before | mine;
    if (after == before) {
      return kNoTransfer;
    }
  } while (!__atomic_compare_exchange_n(line, &before, after, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED));
  const int owner = (int)(before >> kOwnerShift) - 1;
  return (before & mine) || owner < 0 ? kNoTransfer : owner;
}
