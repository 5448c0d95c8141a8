/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets another specification for each phase, and asks where the threads are.
 *
 *   gcc -O2 -fopenmp change_at_run_time.c $(pkg-config --cflags --libs nestbind) \
 *       -Wl,-rpath,$(pkg-config --variable=libdir nestbind) -o change_at_run_time
 *
 * If nestbind is in a prefix of your own, set PKG_CONFIG_PATH to its folder lib/pkgconfig.
 */
#include <nestbind/nestbind.h>
#include <omp.h>
#include <stdio.h>

static void phase(const char *text) {
  const int error = omp_set_nesting_info(text);
  if (error != NESTBIND_OK) {
    fprintf(stderr, "%s: %s\n", text, nestbind_strerror(error));
    return;
  }
  printf("%s:\n", text);
#pragma omp parallel
  {
#pragma omp parallel
    {
      struct nestbind_place place;
      if (nestbind_get_place(&place) == NESTBIND_OK) {
#pragma omp critical
        printf("  thread %d.%d: core %d, package %d, NUMA node %d\n", place.path[0], place.path[1],
               place.core, place.package, place.numa);
      }
    }
  }
}

int main(void) {
  phase("2,scatter,1,compact");
  phase("1,scatter,core,compact");
  return 0;
}
