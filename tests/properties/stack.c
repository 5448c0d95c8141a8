/* SPDX-License-Identifier: BSD-3-Clause */
/* The sizes of the stack and of its guard. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <sys/resource.h>

#include "property.h"

static const size_t kStack = 16 << 20;
static const size_t kGuard = 64 << 10;

static void read_stack(char text[kText]) {
  pthread_attr_t mine;
  size_t size = 0;
  size_t guard = 0;
  if (pthread_getattr_np(pthread_self(), &mine) != 0) return;
  pthread_attr_getstacksize(&mine, &size);
  pthread_attr_getguardsize(&mine, &guard);
  pthread_attr_destroy(&mine);
  snprintf(text, kText, "%zu kB, guard %zu kB", size >> 10, guard >> 10);
}

static int set_default(int (*set)(pthread_attr_t *, size_t), size_t size) {
  pthread_attr_t attributes;
  int result = pthread_getattr_default_np(&attributes);
  if (result == 0) result = set(&attributes, size);
  if (result == 0) result = pthread_setattr_default_np(&attributes);
  return result;
}

static int set_default_size(void) { return set_default(pthread_attr_setstacksize, kStack); }
static int set_default_guard(void) { return set_default(pthread_attr_setguardsize, kGuard); }

static int set_limit(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_STACK, &limit);
  limit.rlim_cur = kStack;
  return failure(setrlimit(RLIMIT_STACK, &limit));
}

static int set_nothing(void) { return 0; }

const struct property kStackRows[] = {
    {"stack size: pthread_setattr_default_np", set_default_size, read_stack, NULL, NULL,
     kSetterIsBlind},
    {"stack size: OMP_STACKSIZE", set_nothing, read_stack, NULL, "OMP_STACKSIZE=3M",
     kSetterIsBlind | kAsked},
    {"stack size: default and OMP_STACKSIZE", set_default_size, read_stack, NULL,
     "OMP_STACKSIZE=3M", kSetterIsBlind | kAsked},
    {"stack size: setrlimit", set_limit, read_stack, NULL, NULL, kSetterIsBlind | kAsked},
    {"guard size: pthread_setattr_default_np", set_default_guard, read_stack, NULL, NULL,
     kSetterIsBlind | kAsked},
    {.name = NULL},
};
