/* SPDX-License-Identifier: BSD-3-Clause */
/* loader OUTER INNER LIBRARY...: a program without OpenMP loads libraries with OpenMP. The
 * libraries have local scope, as in interpreters. The program calls all libraries in turn, twice.
 * If OUTER is 0, teams have the default sizes. If OUTER is below 0, the program closes each
 * library, and the next may get the same addresses. If SHOW_PROCESSORS is set, the program prints
 * after each load how many processors the kernel gives its thread. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef void Work(const char *label, int outer, int inner);
typedef void WorkDefaults(const char *label);

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  int outer = atoi(argv[1]);
  int inner = atoi(argv[2]);
  for (int round = 0; round < 2; ++round) {
    for (int i = 3; i < argc; ++i) {
      void *library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
      if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
      }
      cpu_set_t mask;
      CPU_ZERO(&mask);
      if (getenv("SHOW_PROCESSORS") != NULL &&
          syscall(SYS_sched_getaffinity, 0, sizeof mask, &mask) > 0) {
        printf("library%d processors %d\n", i - 2, CPU_COUNT(&mask));
      }
      char label[32];
      snprintf(label, sizeof label, "library%d", i - 2);
      if (outer == 0) {
        WorkDefaults *function = (WorkDefaults *)dlsym(library, "work_defaults");
        function(label);
      } else {
        Work *function = (Work *)dlsym(library, "work");
        function(label, abs(outer), inner);
      }
      if (outer < 0) dlclose(library);
    }
  }
  return 0;
}
