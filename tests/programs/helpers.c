/* SPDX-License-Identifier: BSD-3-Clause */
/* helpers OUTER INNER: threads that the program itself creates, from the initial thread before and
 * after regions, and from every member of a nested team. A helper tells its processors under the
 * way it was created ("masked": with the process's last processor in its attributes); the members
 * tell theirs before and after. */
#define _GNU_SOURCE
#include <pthread.h>
#include <threads.h>

#include "show.h"

static void tell(const char *label) {
  char cpus[8192];
  show_cpus(cpus, sizeof cpus);
  say("@ %s - - %ld %s", label, (long)syscall(SYS_gettid), cpus);
}

static void *posix_helper(void *label) {
  tell(label);
  return NULL;
}

static int c_helper(void *label) {
  tell(label);
  return 0;
}

/* A mask in the attributes is there on purpose. */
static cpu_set_t g_last;

static void learn_last(void) {
  const cpu_set_t all = show_mask_of(0);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &all)) continue;
    CPU_ZERO(&g_last);
    CPU_SET(cpu, &g_last);
  }
}

static void create_with_mask(void) {
  pthread_attr_t attributes;
  pthread_t thread;
  if (pthread_attr_init(&attributes) != 0) abort();
  if (pthread_attr_setaffinity_np(&attributes, sizeof g_last, &g_last) != 0) abort();
  if (pthread_create(&thread, &attributes, posix_helper, (void *)"masked") != 0) abort();
  if (pthread_join(thread, NULL) != 0) abort();
  pthread_attr_destroy(&attributes);
}

static void create(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, posix_helper, (void *)"pthread") != 0) abort();
  if (pthread_join(thread, NULL) != 0) abort();
  thrd_t other;
  if (thrd_create(&other, c_helper, (void *)"thrd") != thrd_success) abort();
  if (thrd_join(other, NULL) != thrd_success) abort();
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  int outer = atoi(argv[1]);
  int inner = atoi(argv[2]);
  learn_last();
  create();
#pragma omp parallel num_threads(outer)
  {
#pragma omp parallel num_threads(inner)
    {
      show("member");
      create();
      create_with_mask();
      show("member");
    }
  }
  create();
  return 0;
}
