/* SPDX-License-Identifier: BSD-3-Clause */
/* The program's own thread-local variables. */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#include "property.h"

enum { kLooks = 2000 };

static __thread int t_variable;
static int g_private;
#pragma omp threadprivate(g_private)

static void read_variable(char text[kText]) { snprintf(text, kText, "%d", t_variable); }
static int set_variable(void) {
  t_variable = 7;
  return 0;
}

static void read_private(char text[kText]) { snprintf(text, kText, "%d", g_private); }
static int set_private(void) {
  g_private = 7;
  return 0;
}

static pthread_key_t g_key;
static _Atomic int g_destroyed;
static _Atomic int g_is_awaited;

static void destroy(void *unused) {
  (void)unused;
  atomic_fetch_add(&g_destroyed, 1);
}

static int make_key(void) { return pthread_key_create(&g_key, destroy); }

static void read_key(char text[kText]) {
  snprintf(text, kText, pthread_getspecific(g_key) == NULL ? "none" : "one");
}
static int set_key(void) { return pthread_setspecific(g_key, &g_key); }

/* Waits a moment, because the destructors of a thread that has ended may still run. */
static void read_destroyed(char text[kText]) {
  const struct timespec moment = {0, 1000000};
  int looks = atomic_load(&g_is_awaited) != 0 ? kLooks : 0;
  while (looks-- > 0 && atomic_load(&g_destroyed) == 0) nanosleep(&moment, NULL);
  snprintf(text, kText, "%d", atomic_load(&g_destroyed));
}

/* Destructors run when a thread ends. Only a worker ends here, so only a worker is awaited. */
static int have_destroyed(void) {
  atomic_store(&g_is_awaited, is_worker());
  return set_key();
}

static pid_t g_id;

static void read_id(char text[kText]) {
  snprintf(text, kText, thread_id() == g_id ? "that of before" : "another");
}
static int note_id(void) {
  g_id = thread_id();
  return 0;
}

const struct property kThreadLocalRows[] = {
    {"thread_local variables", set_variable, read_variable, NULL, NULL, 0},
    {"threadprivate variables", set_private, read_private, NULL, NULL, 0},
    {"pthread_setspecific", set_key, read_key, make_key, NULL, 0},
    {"destructors after a region", have_destroyed, read_destroyed, make_key, NULL, kSetterIsBlind},
    {"thread identifier", note_id, read_id, NULL, NULL, 0},
    {.name = NULL},
};
