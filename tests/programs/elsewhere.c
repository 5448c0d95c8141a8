/* SPDX-License-Identifier: BSD-3-Clause */
/* elsewhere LIBRARY OTHER: restarts itself with LIBRARY preloaded by a relative name. Then it
 * changes to a new folder. Another file there has the same relative name. A link there has the
 * planner's name, and leads to OTHER. Then the program sets a specification and forks a team. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <libgen.h>
#include <string.h>
#include <sys/stat.h>

#include "show.h"

/* These paths are relative to one folder. */
static char g_name[512];
static char g_parts[3][512];

static void name_parts(const char *library) {
  char copy[4096];
  snprintf(copy, sizeof copy, "%s", library);
  char *file = strrchr(copy, '/');
  *file++ = '\0';
  snprintf(g_parts[0], sizeof g_parts[0], "%s", strrchr(copy, '/') + 1);
  snprintf(g_parts[1], sizeof g_parts[1], "%.255s/nestbind", g_parts[0]);
  snprintf(g_parts[2], sizeof g_parts[2], "%.255s/libnestbind-planner.so", g_parts[1]);
  snprintf(g_name, sizeof g_name, "%.255s/%.255s", g_parts[0], file);
}

static void start_anew(char **arguments) {
  char folder[4096];
  snprintf(folder, sizeof folder, "%s", arguments[1]);
  if (chdir(dirname(dirname(folder))) != 0) abort();
  setenv("LD_PRELOAD", g_name, 1);
  setenv("ELSEWHERE", "1", 1);
  execv("/proc/self/exe", arguments);
  abort();
}

static void fork_team(void) {
#pragma omp parallel num_threads(2)
  show("team");
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  name_parts(argv[1]);
  if (getenv("ELSEWHERE") == NULL) start_anew(argv);
  char folder[] = "/tmp/elsewhere-XXXXXX";
  if (mkdtemp(folder) == NULL || chdir(folder) != 0 || mkdir(g_parts[0], 0700) != 0 ||
      mkdir(g_parts[1], 0700) != 0 || symlink(argv[2], g_parts[2]) != 0 ||
      close(open(g_name, O_CREAT | O_WRONLY, 0600)) != 0) {
    abort();
  }
  if (omp_set_nesting_info("2,scatter") != NESTBIND_OK) say("not specified");
  fork_team();
  if (unlink(g_name) != 0 || unlink(g_parts[2]) != 0 || rmdir(g_parts[1]) != 0 ||
      rmdir(g_parts[0]) != 0 || rmdir(folder) != 0) {
    abort();
  }
  return 0;
}
