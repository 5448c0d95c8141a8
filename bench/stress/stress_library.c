/* SPDX-License-Identifier: BSD-3-Clause */
/* A library with regions, and a thread-local object with a destructor. */
#include <omp.h>
#include <stdbool.h>

/* Compiled C++ calls this function for a thread_local object with a destructor. */
int __cxa_thread_atexit_impl(void (*function)(void *), void *object, void *library);
extern void *__dso_handle __attribute__((visibility("hidden")));

static _Atomic long g_objects;
static __thread struct {
  bool is_made;
  long uses;
} t_object;

static void destroy(void *object) {
  (void)object;
  t_object.is_made = false;
  --g_objects;
}

static long use_object(void) {
  if (!t_object.is_made) {
    t_object.is_made = true;
    ++g_objects;
    __cxa_thread_atexit_impl(destroy, &t_object, &__dso_handle);
  }
  t_object.uses += 1;
  return 1;
}

long use_teams(int outer, int inner) {
  long members = 0;
#pragma omp parallel num_threads(outer) reduction(+ : members)
#pragma omp parallel num_threads(inner) reduction(+ : members)
  members += use_object();
  return members;
}
