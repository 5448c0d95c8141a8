/* SPDX-License-Identifier: BSD-3-Clause */
/* own_children HOW SIZE LIBRARY: a program without OpenMP sets OMP_NUM_THREADS. A child then loads
 * the library and forks teams of its default sizes. Afterwards the program unsets the variable, and
 * does the same. HOW:
 *   exec     the child executes the program's own file
 *   forked   the child executes no other program
 *   shell    a shell sets the variable and starts the child
 *   itself   the program executes itself, without a child
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef void WorkDefaults(const char *label);

static char g_self[PATH_MAX];
static const char *g_size;
static const char *g_library;

static void work(const char *label) {
  void *library = dlopen(g_library, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) abort();
  WorkDefaults *function = (WorkDefaults *)dlsym(library, "work_defaults");
  function(label);
}

static void execute_self(void) {
  setenv("OMP_NUM_THREADS", g_size, 1);
  execl(g_self, g_self, "child", g_size, g_library, NULL);
  abort();
}

static void run_child(int executes) {
  pid_t child = fork();
  if (child == 0 && executes) execute_self();
  if (child == 0) {
    setenv("OMP_NUM_THREADS", g_size, 1);
    work("child");
    exit(0);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) abort();
  }
  if (status != 0) abort();
}

static void run_shell(void) {
  char command[3 * PATH_MAX];
  int length = snprintf(command, sizeof command, "OMP_NUM_THREADS=%s '%s' child %s '%s'", g_size,
                        g_self, g_size, g_library);
  if (length >= (int)sizeof command || system(command) != 0) abort();
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  ssize_t length = readlink("/proc/self/exe", g_self, sizeof g_self - 1);
  if (length <= 0) return 2;
  g_size = argv[2];
  g_library = argv[3];
  if (strcmp(argv[1], "child") == 0) {
    work("child");
    return 0;
  }
  if (strcmp(argv[1], "itself") == 0) execute_self();
  if (strcmp(argv[1], "shell") == 0) {
    run_shell();
  } else {
    run_child(strcmp(argv[1], "exec") == 0);
  }
  unsetenv("OMP_NUM_THREADS");
  work("parent");
  return 0;
}
