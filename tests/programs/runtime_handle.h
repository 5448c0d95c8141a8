/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the runtime's functions through the runtime's own handle, as threadpoolctl and ctypes do.
 * Such calls do not go through an interposed library. */
#ifndef RUNTIME_HANDLE_H
#define RUNTIME_HANDLE_H

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

static int find_runtime(struct dl_phdr_info *info, size_t size, void *found) {
  (void)size;
  const char *slash = strrchr(info->dlpi_name, '/');
  const char *name = slash == NULL ? info->dlpi_name : slash + 1;
  if (strncmp(name, "libgomp", 7) != 0 && strncmp(name, "libomp", 6) != 0 &&
      strncmp(name, "libiomp", 7) != 0) {
    return 0;
  }
  *(const char **)found = info->dlpi_name;
  return 1;
}

static inline void *runtime_function(const char *name) {
  const char *file = NULL;
  dl_iterate_phdr(find_runtime, &file);
  void *runtime = file == NULL ? NULL : dlopen(file, RTLD_LAZY | RTLD_NOLOAD);
  void *function = runtime == NULL ? NULL : dlsym(runtime, name);
  if (function == NULL) abort();
  return function;
}

static inline void set_threads_by_handle(int threads) {
  ((void (*)(int))runtime_function("omp_set_num_threads"))(threads);
}

#endif
