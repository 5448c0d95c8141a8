/* SPDX-License-Identifier: BSD-3-Clause */
/* roots MODE OUTER INNER: the program creates threads. These threads fork teams, so they are roots.
 *   second    the initial thread forks, then another root, then the initial thread again
 *   together  the initial thread and another root fork at once, repeatedly
 *   ended     a root forks and ends; then the initial thread forks and owns the plan
 *   chain     three roots in turn; each ends before the next begins
 *   sizes     a root forks first, with the default sizes (ignores OUTER and INNER)
 *   own       the same, but the root has called omp_set_num_threads(OUTER) */
#define _GNU_SOURCE
#include <pthread.h>
#include <string.h>

#include "show.h"

static int g_outer;
static int g_inner;

static void nested(const char *label) {
#pragma omp parallel num_threads(g_outer)
  {
#pragma omp parallel num_threads(g_inner)
    show(label);
  }
}

static void defaults(const char *label) {
#pragma omp parallel
  {
#pragma omp parallel
    show(label);
  }
}

static void *root(void *label) {
  show("unforked");
  nested(label);
  return NULL;
}

static void *default_root(void *own) {
  if (own != NULL) omp_set_num_threads(g_outer);
  defaults("root");
  say("root max %d", omp_get_max_threads());
  return NULL;
}

static int g_arrived = 0;

static void *busy_root(void *unused) {
  show_meet(&g_arrived, 2);
  for (int i = 0; i < 20; ++i) nested("other");
  return unused;
}

static void run(void *(*function)(void *), const char *label) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, function, (void *)label) != 0) abort();
  if (pthread_join(thread, NULL) != 0) abort();
}

static void together(void) {
  nested("initial");
  pthread_t thread;
  if (pthread_create(&thread, NULL, busy_root, NULL) != 0) abort();
  show_meet(&g_arrived, 2);
  for (int i = 0; i < 20; ++i) nested("initial");
  if (pthread_join(thread, NULL) != 0) abort();
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  const char *mode = argv[1];
  g_outer = atoi(argv[2]);
  g_inner = atoi(argv[3]);
  if (strcmp(mode, "second") == 0) {
    nested("initial");
    run(root, "other");
    run(root, "other");
    nested("again");
  } else if (strcmp(mode, "together") == 0) {
    together();
  } else if (strcmp(mode, "ended") == 0) {
    run(root, "root");
    nested("initial");
  } else if (strcmp(mode, "chain") == 0) {
    run(root, "one");
    run(root, "two");
    run(root, "three");
  } else if (strcmp(mode, "sizes") == 0) {
    run(default_root, NULL);
  } else if (strcmp(mode, "own") == 0) {
    run(default_root, "own");
  }
  return 0;
}
