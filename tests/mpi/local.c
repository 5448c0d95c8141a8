/* SPDX-License-Identifier: BSD-3-Clause */
/* As Python does with mpi4py: a program without MPI loads a module that needs MPI, so that nobody
 * else sees MPI's symbols. usage: local MODULE     MODULE is tests/mpi/topologies.c, compiled as a
 * library with -Dmain=module_main */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
  void *module = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  int (*run)(int, char **) =
      module == NULL ? NULL : (int (*)(int, char **))dlsym(module, "module_main");
  if (run == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  return run(argc - 1, argv + 1);
}
