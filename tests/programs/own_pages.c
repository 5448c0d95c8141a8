/* SPDX-License-Identifier: BSD-3-Clause */
/* own_pages Y Z: Y teams of Z threads count the pages of an array that are on their own node. The
 * primary thread of each team writes the array first. Prints "own pages: 62.5 %", which nestbind
 * tune takes as its measure. */
#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* These numbers are small, because the guest has only two real processors. */
enum { kPages = 16, kWork = 200000 };

static int own_node(void) {
  unsigned cpu = 0;
  unsigned node = 0;
  return syscall(SYS_getcpu, &cpu, &node, NULL) == 0 ? (int)node : -1;
}

/* Without target nodes, move_pages only reports the node of each page. */
static int count_pages(char *pages, long size, int node) {
  void *addresses[kPages];
  int nodes[kPages];
  for (int i = 0; i < kPages; ++i) addresses[i] = pages + i * size;
  if (syscall(SYS_move_pages, 0, (unsigned long)kPages, addresses, NULL, nodes, 0) != 0) {
    perror("move_pages");
    exit(1);
  }
  int count = 0;
  for (int i = 0; i < kPages; ++i) count += nodes[i] == node;
  return count;
}

static void work(void) {
  for (volatile int i = 0; i < kWork; ++i) {
  }
}

int main(int count, char **arguments) {
  const int outer = count > 1 ? atoi(arguments[1]) : 4;
  const int inner = count > 2 ? atoi(arguments[2]) : 4;
  const long size = sysconf(_SC_PAGESIZE);
  long own = 0;
  long all = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(outer) reduction(+ : own, all)
  {
    char *const pages = aligned_alloc((size_t)size, (size_t)(kPages * size));
    if (pages == NULL) exit(1);
    work();
    memset(pages, 1, (size_t)(kPages * size));
#pragma omp parallel num_threads(inner) reduction(+ : own, all)
    {
      work();
#pragma omp barrier
      own += count_pages(pages, size, own_node());
      all += kPages;
    }
    free(pages);
  }
  printf("own pages: %.1f %%\n", 100.0 * (double)own / (double)all);
  return 0;
}
