/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends known numbers of cache lines between NUMA nodes, and prints what the counter must find. The
 * machine must have at least three nodes of four processors. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "marker.h"

enum { kLines = 777, kLineBytes = 64 };

static _Alignas(4096) char array[kLines * kLineBytes];

static void pin(int processor) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  CPU_SET(processor, &mask);
  if (sched_setaffinity(0, sizeof mask, &mask) != 0) {
    perror("sched_setaffinity");
    exit(1);
  }
}

static void store(int processor, int lines) {
  pin(processor);
  for (int line = 0; line < lines; line++) {
    *(volatile char *)&array[(size_t)line * kLineBytes] = 1;
  }
}

static void load(int processor, int lines) {
  pin(processor);
  for (int line = 0; line < lines; line++) {
    (void)*(volatile char *)&array[(size_t)line * kLineBytes + 9];
  }
}

int main(void) {
  store(12, kLines);
  access_counter_array(array, sizeof array);
  access_counter_start();
  load(13, kLines); /* no transfers: no thread has stored to the lines in this section */
  store(0, kLines);
  load(4, kLines); /* all lines go from node 0 to 1 */
  load(4, kLines); /* no transfers: node 1 has the lines already */
  load(5, kLines); /* no transfers: processor 5 is on node 1, too */
  store(6, 100);
  load(0, 100);  /* 100 lines go from node 1 to 0 */
  store(8, 300); /* 100 lines go from node 1 to 2, and 200 from 0 to 2 */
  store(11, 300);
  load(1, kLines); /* 300 lines go from node 2 to 0 */
  access_counter_stop();
  printf("0,1,%d\n0,2,200\n1,0,100\n1,2,100\n2,0,300\n", kLines);
  return 0;
}
