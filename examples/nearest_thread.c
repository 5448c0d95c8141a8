/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the other threads for each thread of a team. The nearest thread is first. The number of
 * hops is in parentheses.
 *
 *   gcc -O2 -fopenmp nearest_thread.c $(pkg-config --cflags --libs nestbind) \
 *       -Wl,-rpath,$(pkg-config --variable=libdir nestbind) -o nearest_thread
 *   OMP_NESTING_TEAM_SIZE=6,scatter ./nearest_thread
 *
 * With NESTBIND_MACHINE=FILE.xml before the command, the program shows the threads on another
 * machine.
 */
#include <nestbind/topology.h>
#include <omp.h>
#include <stdio.h>

enum { kMost = 64 };

static void print_machine(void) {
  int dims[8];
  const int count = nestbind_topology_dims(dims, 8);
  printf("%d slots", nestbind_topology_slots());
  for (int i = 0; i < count && i < 8; ++i) {
    printf("%s%d", i == 0 ? ": " : " x ", dims[i]);
  }
  printf("\n");
}

int main(void) {
  int slots[kMost];
  print_machine();
#pragma omp parallel
  {
    const int self = omp_get_thread_num();
    const int threads = omp_get_num_threads() < kMost ? omp_get_num_threads() : kMost;
    int order[kMost];
    if (self < kMost) {
      slots[self] = nestbind_get_slot();
    }
#pragma omp barrier
#pragma omp for ordered schedule(static, 1)
    for (int thread = 0; thread < threads; ++thread) {
#pragma omp ordered
      if (nestbind_topology_sort(slots[thread], slots, threads, order) == NESTBIND_OK) {
        printf("thread %d on slot %d:", thread, slots[thread]);
        for (int i = 0; i < threads; ++i) {
          if (order[i] != thread) { /* if threads share a slot, `thread` may not come first */
            printf(" %d (%d)", order[i], nestbind_topology_hops(slots[thread], slots[order[i]]));
          }
        }
        printf("\n");
      } else {
        printf("thread %d has no slot: is a specification in force?\n", thread);
      }
    }
  }
  return 0;
}
