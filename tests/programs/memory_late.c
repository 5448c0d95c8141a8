/* SPDX-License-Identifier: BSD-3-Clause */
/* memory_late CHECK...: loads LATE_LIBRARY after the runtime has bound the initial thread. Checks
 * on which nodes the library puts pages. */
#define _GNU_SOURCE
#include <dlfcn.h>

#include "checks.h"
#include "memory.h"

static const size_t kArray = 8 << 20;

static void *function(const char *name) {
  void *const library = dlopen(getenv("LATE_LIBRARY"), RTLD_NOW | RTLD_GLOBAL);
  void *const found = library == NULL ? NULL : dlsym(library, name);
  if (found == NULL) say("  %s: %s", name, dlerror());
  return found;
}

static bool is_spread(int how) {
  int (*const spread)(void *, size_t, int) =
      (int (*)(void *, size_t, int))function("nestbind_memory_spread");
  const struct array array = new_array(kArray, false);
  fill(&array);
  const int error = spread == NULL ? -1 : spread(array.numbers, kArray, how);
  const struct found found = find_pages(array.numbers, kArray);
  const bool is_good = error == NESTBIND_OK && !is_imbalanced(&found, nodes_of_machine(), 3);
  if (!is_good)
    say("  error %d, %zu %zu %zu %zu", error, found.on[0], found.on[1], found.on[2], found.on[3]);
  drop(&array);
  return is_good;
}

static bool block_is_good(void) { return is_spread(NESTBIND_BLOCK); }
static bool interleave_is_good(void) { return is_spread(NESTBIND_INTERLEAVE); }

static bool copies_are_good(void) {
  int (*const replicate)(const void *, size_t, struct nestbind_replicas **) = (int (*)(
      const void *, size_t, struct nestbind_replicas **))function("nestbind_memory_replicate");
  const struct array array = new_array(kArray, false);
  fill(&array);
  struct nestbind_replicas *replicas = NULL;
  if (replicate == NULL || replicate(array.numbers, kArray, &replicas) != NESTBIND_OK) return false;
  size_t local = 0;
#pragma omp parallel num_threads(kMemoryThreads) reduction(+ : local)
  local += find_pages(nestbind_memory_local(replicas), kArray).on[node_here()];
  drop(&array);
  return local == kMemoryThreads * kArray / kSmall;
}

int main(int argc, char **argv) {
  static const struct check checks[] = {{"block", block_is_good},
                                        {"interleave", interleave_is_good},
                                        {"copies", copies_are_good},
                                        {NULL, NULL}};
  return run_checks(checks, argc, argv);
}
