/* SPDX-License-Identifier: BSD-3-Clause */
/* A library that is preloaded first, and counts allocations and locks for repeat.c. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static long g_allocations;
static long g_locks;

static void count(void) { __atomic_add_fetch(&g_allocations, 1, __ATOMIC_RELAXED); }

typedef int Lock(pthread_mutex_t *);

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  static Lock *next; /* all threads find the same address here */
  Lock *function = __atomic_load_n(&next, __ATOMIC_ACQUIRE);
  if (function == NULL) {
    function = (Lock *)dlsym(RTLD_NEXT, "pthread_mutex_lock");
    __atomic_store_n(&next, function, __ATOMIC_RELEASE);
  }
  __atomic_add_fetch(&g_locks, 1, __ATOMIC_RELAXED);
  return function(mutex);
}

long counter_locks(void) { return __atomic_load_n(&g_locks, __ATOMIC_RELAXED); }

long counter_allocations(void) { return __atomic_load_n(&g_allocations, __ATOMIC_RELAXED); }

void *malloc(size_t size) {
  count();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  count();
  return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

void *memalign(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  count();
  *memory = __libc_memalign(alignment, size);
  return *memory != NULL ? 0 : 12; /* ENOMEM */
}
