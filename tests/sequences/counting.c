/* SPDX-License-Identifier: BSD-3-Clause */
/* usage: counting REGIONS FORKS OUTER INNER      Forks REGIONS different regions in turn: each one
 * twice, and then FORKS forks. Prints the allocations and nestbind's locks of these forks. With
 * INNER each member forks a team. A rule names a region by its function: r0, r1 and so on, at
 * most 40. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMostRanges = 64 };

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static long g_allocations;
static long g_locks;
static int (*g_lock)(pthread_mutex_t *);
static struct range {
  unsigned long begin, end;
} g_range[kMostRanges];
static int g_ranges;
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
static int is_ours(unsigned long address) {
  for (int i = 0; i < g_ranges; ++i) {
    if (address >= g_range[i].begin && address < g_range[i].end) return 1;
  }
  return 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  int (*lock)(pthread_mutex_t *) = __atomic_load_n(&g_lock, __ATOMIC_ACQUIRE);
  if (lock == NULL) {
    *(void **)&lock = dlsym(RTLD_NEXT, "pthread_mutex_lock");
    __atomic_store_n(&g_lock, lock, __ATOMIC_RELEASE);
  }
  /* The runtimes take locks, too, and their numbers vary. Only the libraries of nestbind count. */
  if (is_ours((unsigned long)__builtin_return_address(0)))
    __atomic_add_fetch(&g_locks, 1, __ATOMIC_RELAXED);
  return lock(mutex);
}

/* The functions differ, so that the compiler does not merge them. */
#define REGION(number)                                                      \
  __attribute__((noinline)) static void r##number(void) {                   \
    _Pragma("omp parallel num_threads(g_outer)") {                          \
      g_sink = number;                                                      \
      if (g_inner > 0) {                                                    \
        _Pragma("omp parallel num_threads(g_inner)") g_sink = number + 100; \
      }                                                                     \
    }                                                                       \
  }
#define TEN(tens) \
  REGION(tens##0) \
  REGION(tens##1) \
  REGION(tens##2) \
  REGION(tens##3) \
  REGION(tens##4) \
  REGION(tens##5) \
  REGION(tens##6) \
  REGION(tens##7) \
  REGION(tens##8) \
  REGION(tens##9)
TEN()
TEN(1)
TEN(2)
TEN(3)
#define NAMES(tens)                                                                               \
  r##tens##0, r##tens##1, r##tens##2, r##tens##3, r##tens##4, r##tens##5, r##tens##6, r##tens##7, \
      r##tens##8, r##tens##9
static void (*const kRegions[])(void) = {NAMES(), NAMES(1), NAMES(2), NAMES(3)};

static int note_ranges(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  (void)data;
  if (info->dlpi_name == NULL || strstr(info->dlpi_name, "libnestbind") == NULL) return 0;
  for (int i = 0; i < info->dlpi_phnum && g_ranges < kMostRanges; ++i) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD) continue;
    g_range[g_ranges++] = (struct range){info->dlpi_addr + part->p_vaddr,
                                         info->dlpi_addr + part->p_vaddr + part->p_memsz};
  }
  return 0;
}

int main(int words, char **word) {
  if (words != 5) return 2;
  const int regions = atoi(word[1]);
  const long forks = atol(word[2]);
  g_outer = atoi(word[3]);
  g_inner = atoi(word[4]);
  for (int i = 0; i < 2 * regions; ++i) kRegions[i % regions]();
  dl_iterate_phdr(note_ranges, NULL);
  const long allocations = __atomic_load_n(&g_allocations, __ATOMIC_RELAXED);
  const long locks = __atomic_load_n(&g_locks, __ATOMIC_RELAXED);
  for (long i = 0; i < forks; ++i) kRegions[i % regions]();
  printf("allocations %ld locks %ld\n",
         __atomic_load_n(&g_allocations, __ATOMIC_RELAXED) - allocations,
         __atomic_load_n(&g_locks, __ATOMIC_RELAXED) - locks);
  return 0;
}
