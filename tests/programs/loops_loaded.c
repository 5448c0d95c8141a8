/* SPDX-License-Identifier: BSD-3-Clause */
/* loops_loaded LIBRARY: a program without OpenMP that loads loops_library.c with local scope, whose
 * constructor has loops, and calls it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  bool (*loops_of_library)(int threads) = (bool (*)(int))dlsym(library, "loops_of_library");
  puts(loops_of_library(2) ? "loops good" : "loops bad");
  return 0;
}
