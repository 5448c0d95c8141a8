/* SPDX-License-Identifier: BSD-3-Clause */
/* visible LIBRARY [SPEC]: a program without OpenMP finds functions of an OpenMP runtime by dlsym.
 * SPEC is the specification that the program sets through these functions. Then the library forks
 * teams of its default sizes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

typedef void WorkDefaults(const char *label);
typedef int Specify(const char *text);

int main(int argc, char **argv) {
  const char *names[] = {"GOMP_parallel",        "GOMP_parallel_start", "omp_get_max_threads",
                         "omp_set_num_threads_", "__kmpc_barrier",      "omp_set_nesting_info"};
  if (argc < 2) return 2;
  const char *error = dlerror();
  if (error != NULL) printf("at the start: %s\n", error);
  setvbuf(stdout, NULL, _IONBF, 0);
  void *program = dlopen(NULL, RTLD_LAZY);
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    int found = dlsym(program, names[i]) != NULL;
    int told = !found && dlerror() != NULL;
    if (found != (dlsym(RTLD_DEFAULT, names[i]) != NULL)) puts("not alike");
    printf("%s %s\n", names[i], found ? "yes" : told ? "no" : "null");
  }
  if (argc > 2) {
    Specify *specify = (Specify *)dlsym(program, "omp_set_nesting_info");
    if (specify != NULL) printf("specified %d\n", specify(argv[2]));
  }
  void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return 1;
  ((WorkDefaults *)dlsym(library, "work_defaults"))("library");
  return 0;
}
