/* SPDX-License-Identifier: BSD-3-Clause */
/* loops_loaded LIBRARY: loads loops_library.c with local scope into a program without OpenMP. Then
 * it loads, closes and loads a copy of the library while the runtime is running. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

static bool is_good(const char *name, bool closes) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return false;
  }
  bool (*loops_of_library)(int threads) = (bool (*)(int))dlsym(library, "loops_of_library");
  const bool result = loops_of_library(2);
  if (closes) dlclose(library);
  return result;
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  const int from = open(argv[1], O_RDONLY);
  const int to = memfd_create("copy", 0);
  while (sendfile(to, from, NULL, 1 << 20) > 0) {
  }
  char copy[64];
  snprintf(copy, sizeof copy, "/proc/self/fd/%d", to);
  const bool result = is_good(argv[1], false) && is_good(copy, true) && is_good(copy, false);
  puts(result ? "loops good" : "loops bad");
  return 0;
}
