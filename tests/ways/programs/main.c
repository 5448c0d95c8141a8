/* SPDX-License-Identifier: BSD-3-Clause */
/* The argument says where parallel regions run:
 *
 *   region     The region is in main.
 *   fork       The region is in a child process.
 *   exec       The program executes itself. There is a region before and after this.
 *   nothing    There is no region.
 *   local|global LIBRARY    The program loads the library with the region (only with LOADS). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef void Region(const char *label);
#pragma weak region
void region(const char *label);

static int in_child(void) {
  pid_t child = fork();
  if (child == 0) {
    region("region");
    _exit(0);
  }
  int status = 1;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0 ? 0 : 1;
}

#ifdef LOADS
static int in_library(const char *file, int scope) {
  void *library = dlopen(file, RTLD_NOW | scope);
  Region *loaded = library == NULL ? NULL : (Region *)dlsym(library, "region");
  if (loaded == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  loaded("region");
  return 0;
}
#endif

int main(int count, char **arguments) {
  const char *what = count > 1 ? arguments[1] : "region";
  if (strcmp(what, "nothing") == 0) return 0;
  if (strcmp(what, "fork") == 0) return in_child();
#ifdef LOADS
  if (strcmp(what, "local") == 0) return in_library(arguments[2], RTLD_LOCAL);
  if (strcmp(what, "global") == 0) return in_library(arguments[2], RTLD_GLOBAL);
#endif
  region(strcmp(what, "exec") == 0 ? "before" : "region");
  if (strcmp(what, "exec") == 0) {
    char *again[] = {arguments[0], "region", NULL};
    execv(arguments[0], again);
    return 1;
  }
  return 0;
}
