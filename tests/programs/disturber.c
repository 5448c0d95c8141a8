/* SPDX-License-Identifier: BSD-3-Clause */
/* A library for disturbed.c that is preloaded after the library under test. Each allocation of the
 * library under test calls a function of the program, even under the library's lock. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);

typedef void Disturb(void);
static Disturb *g_disturb;
static __thread int t_inside;

static int is_ours(const void *code) {
  Dl_info info;
  if (dladdr(code, &info) == 0 || info.dli_fname == NULL) return 0;
  const char *slash = strrchr(info.dli_fname, '/');
  return strncmp(slash == NULL ? info.dli_fname : slash + 1, "libnestbind", 11) == 0;
}

static void disturb(const void *caller) {
  Disturb *function = __atomic_load_n(&g_disturb, __ATOMIC_ACQUIRE);
  if (function == NULL || t_inside || !is_ours(caller)) return;
  t_inside = 1;
  function();
  t_inside = 0;
}

/* If `function` is NULL, no function is called. */
void disturb_with(Disturb *function) { __atomic_store_n(&g_disturb, function, __ATOMIC_RELEASE); }

void *malloc(size_t size) {
  disturb(__builtin_return_address(0));
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  disturb(__builtin_return_address(0));
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  disturb(__builtin_return_address(0));
  return __libc_realloc(memory, size);
}
