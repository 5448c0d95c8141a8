/* SPDX-License-Identifier: BSD-3-Clause */
/* own_children HOW SIZE LIBRARY: a program without OpenMP sets OMP_NUM_THREADS for a child. The
 * child loads the library and forks teams of its default sizes. Then the program does the same.
 * HOW:
 *   execve, execv, execvp, fexecve, spawn, vfork   The child executes the program's own file.
 *   spawn-path    posix_spawnp searches PATH for the program's own file.
 *   ended         the program ends before the child begins
 *   forked        the child executes no other program
 *   itself        the program executes itself, without a child
 *   shell         a shell sets the variable and starts the child
 *   starts        the child starts another program, loader, which loads the library
 *   resets        the child starts a shell, which sets the variable anew and starts the program
 *   again         starts three children by execve, then two children by fork alone
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

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

static void wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) abort();
  }
  if (status != 0) abort();
}

static char **changed(void) {
  static char *entries[4096];
  static char threads[64];
  int count = 0;
  snprintf(threads, sizeof threads, "OMP_NUM_THREADS=%s", g_size);
  for (char **entry = environ; *entry != NULL && count < 4000; ++entry) {
    if (strncmp(*entry, "OMP_NUM_THREADS=", 16) != 0) entries[count++] = *entry;
  }
  entries[count++] = threads;
  entries[count] = NULL;
  return entries;
}

static void execute(const char *how, char **arguments) {
  if (strcmp(how, "execv") == 0 || strcmp(how, "execvp") == 0) setenv("OMP_NUM_THREADS", g_size, 1);
  if (strcmp(how, "execv") == 0) {
    execv(g_self, arguments);
  } else if (strcmp(how, "execvp") == 0) {
    execvp("own_children", arguments);
  } else if (strcmp(how, "fexecve") == 0) {
    fexecve(open(g_self, O_RDONLY), arguments, changed());
  } else {
    execve(g_self, arguments, changed());
  }
  abort();
}

static void add_own_folder_to_path(void) {
  char path[2 * PATH_MAX];
  const char *slash = strrchr(g_self, '/');
  snprintf(path, sizeof path, "%.*s:%s", (int)(slash - g_self), g_self,
           getenv("PATH") ? getenv("PATH") : "/bin");
  setenv("PATH", path, 1);
}

static void run_shell(const char *format, ...) {
  char command[4 * PATH_MAX];
  va_list values;
  va_start(values, format);
  int length = vsnprintf(command, sizeof command, format, values);
  va_end(values);
  if (length >= (int)sizeof command || system(command) != 0) abort();
}

static void start(const char *how, const char *task) {
  char *arguments[] = {g_self, (char *)task, (char *)g_size, (char *)g_library, NULL};
  pid_t child = -1;
  char **entries = changed();
  if (strcmp(how, "spawn") == 0) {
    if (posix_spawn(&child, g_self, NULL, NULL, arguments, entries) != 0) abort();
  } else if (strcmp(how, "spawn-path") == 0) {
    if (posix_spawnp(&child, "own_children", NULL, NULL, arguments, entries) != 0) abort();
  } else if (strcmp(how, "vfork") == 0) {
    child = vfork();
    if (child == 0) {
      execve(g_self, arguments, entries);
      _exit(127);
    }
  } else {
    child = fork();
    if (child == 0) execute(how, arguments);
  }
  wait_for(child);
}

static void fork_alone(void) {
  pid_t child = fork();
  if (child == 0) {
    setenv("OMP_NUM_THREADS", g_size, 1);
    work("child");
    exit(0);
  }
  wait_for(child);
}

/* The child waits until its parent has ended. Then a read from the pipe returns 0. */
static void start_without_parent(void) {
  int alive[2];
  int done[2];
  if (pipe(alive) != 0 || pipe(done) != 0) abort();
  pid_t parent = fork();
  if (parent == 0) {
    pid_t child = fork();
    if (child == 0) {
      char byte;
      close(alive[1]);
      while (read(alive[0], &byte, 1) > 0) {
      }
      char *arguments[] = {g_self, (char *)"child", (char *)g_size, (char *)g_library, NULL};
      execute("execve", arguments);
    }
    _exit(0);
  }
  close(alive[1]);
  close(done[1]);
  wait_for(parent);
  char byte;
  while (read(done[0], &byte, 1) > 0) {
  }
}

static void run(const char *how) {
  if (strcmp(how, "forked") == 0) {
    fork_alone();
  } else if (strcmp(how, "ended") == 0) {
    start_without_parent();
  } else if (strcmp(how, "itself") == 0) {
    char *arguments[] = {g_self, (char *)"child", (char *)g_size, (char *)g_library, NULL};
    execve(g_self, arguments, changed());
    abort();
  } else if (strcmp(how, "shell") == 0) {
    run_shell("OMP_NUM_THREADS=%s '%s' child %s '%s'", g_size, g_self, g_size, g_library);
  } else if (strcmp(how, "starts") == 0 || strcmp(how, "resets") == 0) {
    start("execve", strcmp(how, "starts") == 0 ? "child-starts" : "child-resets");
  } else if (strcmp(how, "again") == 0) {
    for (int i = 0; i < 3; ++i) start("execve", "child");
    fork_alone();
    fork_alone();
  } else {
    start(how, "child");
  }
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  ssize_t length = readlink("/proc/self/exe", g_self, sizeof g_self - 1);
  if (length <= 0) return 2;
  g_size = argv[2];
  g_library = argv[3];
  if (strcmp(argv[1], "child") == 0) {
    work("child");
  } else if (strcmp(argv[1], "child-starts") == 0) {
    run_shell("'%.*s/loader' 0 0 '%s'", (int)(strrchr(g_self, '/') - g_self), g_self, g_library);
  } else if (strcmp(argv[1], "child-resets") == 0) {
    run_shell("OMP_NUM_THREADS=5 '%s' child %s '%s'", g_self, g_size, g_library);
  } else {
    add_own_folder_to_path();
    run(argv[1]);
    unsetenv("OMP_NUM_THREADS");
    work("parent");
  }
  return 0;
}
