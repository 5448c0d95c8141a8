/* SPDX-License-Identifier: BSD-3-Clause */
/* mixed OUTER INNER LIBRARY: members of a team call a library that uses another OpenMP runtime. So
 * a team of one runtime is nested in a team of another. */
#define _GNU_SOURCE
#include <dlfcn.h>

#include "show.h"

typedef void WorkInner(const char *label, int caller, int size);

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  int outer = atoi(argv[1]);
  int inner = atoi(argv[2]);
  void *library = dlopen(argv[3], RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  WorkInner *work_inner = (WorkInner *)dlsym(library, "work_inner");
  for (int round = 0; round < 3; ++round) {
#pragma omp parallel num_threads(outer)
    {
      show("outer");
      work_inner("inner", omp_get_thread_num(), inner);
    }
  }
  return 0;
}
