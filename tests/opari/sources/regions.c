/* SPDX-License-Identifier: BSD-3-Clause */
/* Thread 0 of each level prints its region's source. Outside of regions it prints an error. */
#include <nestbind/region.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

static void tell(const char *where) {
  struct nestbind_region region;
  int error = nestbind_get_region(&region);
  if (error == NESTBIND_OK) {
    const char *slash = strrchr(region.file, '/');
    printf("%s: %s %d-%d\n", where, slash != NULL ? slash + 1 : region.file, region.first_line,
           region.last_line);
  } else {
    printf("%s: error %d\n", where, error);
  }
}

int main(void) {
  tell("before");
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 1) tell("outer");
#pragma omp barrier
#pragma omp parallel num_threads(1)
    {
      if (omp_get_ancestor_thread_num(1) == 1) tell("inner");
    }
#pragma omp barrier
    if (omp_get_thread_num() == 1) tell("again");
  }
  tell("after");
  return nestbind_get_region(NULL) != NESTBIND_BAD_ARGUMENT;
}
