/* SPDX-License-Identifier: BSD-3-Clause */
/* usage: counting REGIONS FORKS OUTER INNER      Forks REGIONS different regions in turn: each one
 * twice, and then FORKS forks. Prints the allocations and the locks of these forks. With INNER each
 * member forks a team. A rule names a region by its function: r0, r1 and so on, at most 40. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static long g_allocations;
static long g_locks;
static int (*g_lock)(pthread_mutex_t *);
static int g_outer;
static int g_inner;
static volatile int g_sink;

static void count(void) { __atomic_add_fetch(&g_allocations, 1, __ATOMIC_RELAXED); }

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
int posix_memalign(void **memory, size_t alignment, size_t size) {
  count();
  *memory = __libc_memalign(alignment, size);
  return *memory == NULL;
}
int pthread_mutex_lock(pthread_mutex_t *mutex) {
  int (*lock)(pthread_mutex_t *) = __atomic_load_n(&g_lock, __ATOMIC_ACQUIRE);
  if (lock == NULL) {
    *(void **)&lock = dlsym(RTLD_NEXT, "pthread_mutex_lock");
    __atomic_store_n(&g_lock, lock, __ATOMIC_RELEASE);
  }
  __atomic_add_fetch(&g_locks, 1, __ATOMIC_RELAXED);
  return lock(mutex);
}

/* The functions differ, so that the compiler does not merge them. */
#define REGION(number)                                         \
  __attribute__((noinline)) static void r##number(void) {      \
    _Pragma("omp parallel num_threads(g_outer)") {             \
      g_sink = number;                                         \
      if (g_inner > 0) {                                       \
        _Pragma("omp parallel num_threads(g_inner)") g_sink = number + 100; \
      }                                                        \
    }                                                          \
  }
#define TEN(tens)                                                             \
  REGION(tens##0) REGION(tens##1) REGION(tens##2) REGION(tens##3) REGION(tens##4) \
  REGION(tens##5) REGION(tens##6) REGION(tens##7) REGION(tens##8) REGION(tens##9)
TEN()
TEN(1)
TEN(2)
TEN(3)
#define NAMES(tens) r##tens##0, r##tens##1, r##tens##2, r##tens##3, r##tens##4, r##tens##5, r##tens##6, r##tens##7, r##tens##8, r##tens##9
static void (*const kRegions[])(void) = {NAMES(), NAMES(1), NAMES(2), NAMES(3)};

int main(int words, char **word) {
  if (words != 5) return 2;
  const int regions = atoi(word[1]);
  const long forks = atol(word[2]);
  g_outer = atoi(word[3]);
  g_inner = atoi(word[4]);
  for (int i = 0; i < 2 * regions; ++i) kRegions[i % regions]();
  const long allocations = __atomic_load_n(&g_allocations, __ATOMIC_RELAXED);
  const long locks = __atomic_load_n(&g_locks, __ATOMIC_RELAXED);
  for (long i = 0; i < forks; ++i) kRegions[i % regions]();
  printf("allocations %ld locks %ld\n", __atomic_load_n(&g_allocations, __ATOMIC_RELAXED) - allocations,
         __atomic_load_n(&g_locks, __ATOMIC_RELAXED) - locks);
  return 0;
}
