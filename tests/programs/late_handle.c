/* SPDX-License-Identifier: BSD-3-Clause */
/* late_handle SIZE LIBRARY: a program without OpenMP loads a library with OpenMP, as interpreters
 * do. The program sets the next team's size to SIZE through the runtime's own handle (0 sets no
 * size). Then the library forks teams of the default sizes. */
#define _GNU_SOURCE
#include "runtime_handle.h"

typedef void WorkDefaults(const char *label);

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  void *library = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return 1;
  if (atoi(argv[1]) > 0) set_threads_by_handle(atoi(argv[1]));
  ((WorkDefaults *)dlsym(library, "work_defaults"))("library");
  return 0;
}
