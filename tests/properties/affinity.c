/* SPDX-License-Identifier: BSD-3-Clause */
/* The thread's mask: the processors on which it may run. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "property.h"

static cpu_set_t g_allowed;

__attribute__((constructor)) static void note_allowed(void) {
  unseen(SYS_sched_getaffinity, 0, sizeof g_allowed, &g_allowed);
}

static int need_two(void) { return CPU_COUNT(&g_allowed) < 2 ? ENODEV : 0; }

/* Returns a mask with one allowed processor. It differs from the mask of the calling thread. */
static cpu_set_t another_place(void) {
  cpu_set_t now;
  CPU_ZERO(&now);
  unseen(SYS_sched_getaffinity, 0, sizeof now, &now);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    cpu_set_t place;
    CPU_ZERO(&place);
    CPU_SET(cpu, &place);
    if (CPU_ISSET(cpu, &g_allowed) && !CPU_EQUAL(&place, &now)) return place;
  }
  return g_allowed;
}

static void read_affinity(char text[kText]) {
  cpu_set_t now;
  CPU_ZERO(&now);
  unseen(SYS_sched_getaffinity, 0, sizeof now, &now);
  int length = snprintf(text, kText, "processors");
  for (int cpu = 0; cpu < CPU_SETSIZE && length < kText - 8; ++cpu) {
    if (CPU_ISSET(cpu, &now)) length += snprintf(text + length, 8, " %d", cpu);
  }
}

static int by_sched(void) {
  const cpu_set_t place = another_place();
  return failure(sched_setaffinity(0, sizeof place, &place));
}

static int by_pthread(void) {
  const cpu_set_t place = another_place();
  return pthread_setaffinity_np(pthread_self(), sizeof place, &place);
}

static int by_syscall(void) {
  const cpu_set_t place = another_place();
  return failure(syscall(SYS_sched_setaffinity, 0, sizeof place, &place));
}

/* The mask that another thread sets for the calling thread. The calling thread has chosen this
 * mask. */
static cpu_set_t g_place;

static int set_place_of(const struct target *target) {
  return failure(sched_setaffinity(target->id, sizeof g_place, &g_place));
}

static int set_place_of_thread(const struct target *target) {
  return pthread_setaffinity_np(target->thread, sizeof g_place, &g_place);
}

static int by_another_sched(void) {
  g_place = another_place();
  return by_another(set_place_of);
}

static int by_another_pthread(void) {
  g_place = another_place();
  return by_another(set_place_of_thread);
}

/* libnuma changes the mask to all processors of a node. */
static int by_libnuma(void) {
  void *library = dlopen("libnuma.so.1", RTLD_LAZY);
  if (library == NULL) return ENOSYS;
  int (*run_on_node)(int) = (int (*)(int))dlsym(library, "numa_run_on_node");
  return run_on_node == NULL ? ENOSYS : failure(run_on_node(0));
}

const struct property kAffinityRows[] = {
    {"affinity: sched_setaffinity", by_sched, read_affinity, need_two, NULL, kPlaced},
    {"affinity: pthread_setaffinity_np", by_pthread, read_affinity, need_two, NULL, kPlaced},
    {"affinity: syscall", by_syscall, read_affinity, need_two, NULL, kPlaced},
    {"affinity: libnuma's numa_run_on_node", by_libnuma, read_affinity, need_two, NULL, kPlaced},
    {"affinity: sched_setaffinity by another", by_another_sched, read_affinity, need_two, NULL,
     kPlaced},
    {"affinity: pthread_setaffinity_np by another", by_another_pthread, read_affinity, need_two,
     NULL, kPlaced},
    {.name = NULL},
};
