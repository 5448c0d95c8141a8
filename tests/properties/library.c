/* SPDX-License-Identifier: BSD-3-Clause */
/* Data that the C library and the OpenMP runtime keep for a thread. */
#define _GNU_SOURCE
#include <errno.h>
#include <locale.h>
#include <omp.h>
#include <sched.h>
#include <stdio.h>

#include "property.h"

static void read_locale(char text[kText]) {
  locale_t (*use)(locale_t) = (locale_t(*)(locale_t))library_function("uselocale");
  snprintf(text, kText, use(NULL) == LC_GLOBAL_LOCALE ? "the global one" : "another");
}

static int use_locale(void) {
  locale_t other = newlocale(LC_ALL_MASK, "C", NULL);
  return other == NULL || uselocale(other) == NULL ? errno : 0;
}

static void read_errno(char text[kText]) { snprintf(text, kText, "%d", errno); }
static int set_errno(void) {
  errno = EDOM;
  return 0;
}

typedef int SetCancel(int, int *);

static int cancel_setting(const char *function) {
  SetCancel *set = (SetCancel *)library_function(function);
  int now = 0;
  set(0, &now);
  set(now, NULL);
  return now;
}

static void read_cancel_state(char text[kText]) {
  int state = cancel_setting("pthread_setcancelstate");
  snprintf(text, kText, state == PTHREAD_CANCEL_ENABLE ? "enabled" : "disabled");
}
static int disable_cancel(void) { return pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL); }

static void read_cancel_type(char text[kText]) {
  int type = cancel_setting("pthread_setcanceltype");
  snprintf(text, kText, type == PTHREAD_CANCEL_DEFERRED ? "deferred" : "asynchronous");
}
static int cancel_at_once(void) { return pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL); }

static void tell_cancelled(void *unused) {
  (void)unused;
  end_with_value("cancelled");
}

static void read_pending_cancel(char text[kText]) {
  pthread_cleanup_push(tell_cancelled, NULL);
  pthread_testcancel();
  pthread_cleanup_pop(0);
  snprintf(text, kText, "none");
}
static int cancel_myself(void) { return pthread_cancel(pthread_self()); }

/* The cancelling thread sets this flag. The cancelling thread is not joined, because pthread_join
 * is a cancellation point.
 */
static _Atomic int g_is_cancelled;

static void *cancel_target(void *target) {
  pthread_cancel(*(const pthread_t *)target);
  g_is_cancelled = 1;
  return NULL;
}

static int cancelled_by_another(void) {
  pthread_t self = pthread_self();
  pthread_t other;
  int result = pthread_create(&other, NULL, cancel_target, &self);
  if (result != 0) return result;
  while (g_is_cancelled == 0) sched_yield();
  return pthread_detach(other);
}

static void read_schedule(char text[kText]) {
  omp_sched_t kind;
  int chunk = 0;
  omp_get_schedule(&kind, &chunk);
  snprintf(text, kText, "%u, %d", (unsigned)kind, chunk);
}
static int set_schedule(void) {
  omp_set_schedule(omp_sched_guided, 7);
  return 0;
}

const struct property kLibraryRows[] = {
    {"locale: uselocale", use_locale, read_locale, NULL, NULL, 0},
    {"errno", set_errno, read_errno, NULL, NULL, 0},
    {"cancellation state", disable_cancel, read_cancel_state, NULL, NULL, 0},
    {"cancellation type", cancel_at_once, read_cancel_type, NULL, NULL, 0},
    {"pending cancellation", cancel_myself, read_pending_cancel, NULL, NULL, kSetterIsBlind},
    {"pending cancellation: by another", cancelled_by_another, read_pending_cancel, NULL, NULL,
     kSetterIsBlind},
    {"omp_set_schedule", set_schedule, read_schedule, NULL, NULL, 0},
    {.name = NULL},
};
