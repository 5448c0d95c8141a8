/* SPDX-License-Identifier: BSD-3-Clause */
/* unloaded OUTER INNER LIBRARY...: opens each library, lets it fork a team, and closes it, twice.
 * No part of a closed library may be mapped. For each library prints one of these lines:
 *
 *   libraryN unloaded        or: libraryN still mapped */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void Work(const char *label, int outer, int inner);

static bool is_mapped(const char *library) {
  char line[4096];
  bool found = false;
  FILE *maps = fopen("/proc/self/maps", "r");
  while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
    found = found || strstr(line, library) != NULL;
  }
  if (maps != NULL) fclose(maps);
  return found;
}

static bool use(const char *name, const char *label, int outer, int inner) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  Work *work = library == NULL ? NULL : (Work *)dlsym(library, "work");
  if (work == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return false;
  }
  work(label, outer, inner);
  return dlclose(library) == 0;
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  for (int round = 0; round < 2; ++round) {
    for (int i = 3; i < argc; ++i) {
      char label[32];
      snprintf(label, sizeof label, "library%d", i - 2);
      if (!use(argv[i], label, atoi(argv[1]), atoi(argv[2]))) return 1;
      printf("%s %s\n", label, is_mapped(argv[i]) ? "still mapped" : "unloaded");
      fflush(stdout);
    }
  }
  return 0;
}
