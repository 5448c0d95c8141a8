/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes traffic in which every access is known, and prints what the counter must find. The process
 * must be allowed to use all processors and nodes of the machine. */
#include <linux/mempolicy.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "marker.h"

enum { kMaxNodes = 64, kWords = 1 << 15, kRestAccesses = 5000 };

static uint64_t *arrays[kMaxNodes];
static uint64_t *others[kMaxNodes];
static int nodes;
static int processors;
static pthread_barrier_t ready;
static pthread_barrier_t done;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static uint64_t *place(int node) {
  const size_t bytes = kWords * sizeof(uint64_t);
  uint64_t *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    fail("mmap");
  }
  const unsigned long mask = 1UL << node;
  if (syscall(SYS_mbind, memory, bytes, MPOL_BIND, &mask, 8 * sizeof mask, MPOL_MF_STRICT) != 0) {
    fail("mbind");
  }
  memset(memory, 1, bytes);
  for (size_t offset = 0; offset < bytes; offset += 4096) {
    void *page = (char *)memory + offset;
    int found = -1;
    if (syscall(SYS_move_pages, 0, 1UL, &page, NULL, &found, 0) != 0) {
      fail("move_pages");
    }
    if (found != node) {
      fprintf(stderr, "a page is on node %d instead of %d\n", found, node);
      exit(1);
    }
  }
  return memory;
}

static void pin(int processor) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  CPU_SET(processor, &mask);
  if (sched_setaffinity(0, sizeof mask, &mask) != 0) {
    fail("sched_setaffinity");
  }
}

static int loads_of(int processor, int node) { return 1000 + 10 * processor + node; }
static int stores_of(int processor, int node) { return 500 + 10 * processor + 3 * node; }

/* The accesses are single instructions, so a compiler cannot change their number. */
static void access_words(uint64_t *words, int loads, int stores) {
  for (int index = 0; index < loads; index++) {
    uint64_t value;
    __asm__ volatile("movq %1, %0" : "=r"(value) : "m"(words[index * 7 % kWords]));
  }
  for (int index = 0; index < stores; index++) {
    __asm__ volatile("movq %1, %0" : "=m"(words[index * 11 % kWords]) : "r"((uint64_t)index));
  }
}

static void access_all(int processor) {
  for (int node = 0; node < nodes; node++) {
    access_words(arrays[node], loads_of(processor, node), stores_of(processor, node));
    if (node == processor % nodes) {
      access_words(others[node], kRestAccesses, 0);
    }
  }
}

static void register_arrays(void) {
  for (int node = 0; node < nodes; node++) {
    /* The second half comes first, so the counter must join two ranges. */
    access_counter_array(arrays[node] + kWords / 2, kWords / 2 * sizeof(uint64_t));
    access_counter_array(arrays[node], kWords / 2 * sizeof(uint64_t));
  }
}

static void *at_once(void *data) {
  const int processor = *(const int *)data;
  pin(processor);
  pthread_barrier_wait(&ready);
  access_all(processor);
  pthread_barrier_wait(&done);
  return NULL;
}

static void print_expected(int label, int section) {
  for (int processor = 0; processor < processors; processor++) {
    for (int node = 0; node < nodes; node++) {
      printf("%d,%d,array,%d,%d,%d,%d\n", label, section, processor, node,
             loads_of(processor, node), stores_of(processor, node));
    }
  }
}

static void all_at_once(void) {
  pthread_t *threads = calloc((size_t)processors, sizeof *threads);
  int *numbers = calloc((size_t)processors, sizeof *numbers);
  if (!threads || !numbers) {
    fail("calloc");
  }
  pthread_barrier_init(&ready, NULL, (unsigned)processors + 1);
  pthread_barrier_init(&done, NULL, (unsigned)processors + 1);
  for (int processor = 0; processor < processors; processor++) {
    numbers[processor] = processor;
    if (pthread_create(&threads[processor], NULL, at_once, &numbers[processor]) != 0) {
      fail("pthread_create");
    }
  }
  register_arrays();
  access_counter_start();
  pthread_barrier_wait(&ready);
  pthread_barrier_wait(&done);
  access_counter_stop();
  for (int processor = 0; processor < processors; processor++) {
    pthread_join(threads[processor], NULL);
  }
  free(numbers);
  free(threads);
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: known_traffic NODES SECTION\n");
    return 2;
  }
  nodes = atoi(argv[1]);
  const int section = atoi(argv[2]);
  const char *label = getenv("ACCESS_COUNTER_LABEL");
  processors = (int)sysconf(_SC_NPROCESSORS_ONLN);
  for (int node = 0; node < nodes; node++) {
    arrays[node] = place(node);
    others[node] = place(node);
  }

  /* Accesses before and after the markers must not count. */
  access_all(sched_getcpu());
  register_arrays();
  access_counter_start();
  for (int processor = 0; processor < processors; processor++) {
    pin(processor);
    access_all(processor);
  }
  access_counter_stop();
  access_all(0);
  print_expected(label ? atoi(label) : 0, section);

  all_at_once();
  print_expected(label ? atoi(label) : 0, section + 1);
  return 0;
}
