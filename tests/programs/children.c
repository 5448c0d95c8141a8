/* SPDX-License-Identifier: BSD-3-Clause */
/* children OUTER INNER MASK PROCESSOR: bound threads start processes in every way that C offers.
 * MASK is the path of the program `mask`. taskset binds some processes to PROCESSOR. Before a label
 * "own-...", the thread binds itself to PROCESSOR. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>

#include "show.h"

extern char **environ;

static const char *g_mask;
static const char *g_processor;

static void wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) abort();
  }
  if (status != 0) say("child ended with %d", status);
}

static void tell(const char *label) {
  char cpus[8192];
  show_cpus(cpus, sizeof cpus);
  say("@ %s - - %ld %s", label, (long)getpid(), cpus);
}

static void by_fork(void) {
  pid_t child = fork();
  if (child == 0) {
    tell("fork");
    _exit(0);
  }
  wait_for(child);
}

static void by_fork_exec(void) {
  pid_t child = fork();
  if (child == 0) {
    execlp(g_mask, g_mask, "fork-execlp", (char *)NULL);
    _exit(127);
  }
  wait_for(child);
  child = fork();
  if (child == 0) {
    char *arguments[] = {(char *)g_mask, (char *)"fork-execve", NULL};
    execve(g_mask, arguments, environ);
    _exit(127);
  }
  wait_for(child);
}

/* The first attempt to execute a program fails. */
static void by_vfork_exec(void) {
  pid_t child = vfork();
  if (child == 0) {
    char *arguments[] = {(char *)g_mask, (char *)"vfork-execv", NULL};
    if (execv("/nobody/has/such/a/program", arguments) != -1 || errno != ENOENT) _exit(126);
    execv(g_mask, arguments);
    _exit(127);
  }
  wait_for(child);
}

static int tell_and_end(void *label) {
  tell((const char *)label);
  _exit(0);
}

static void by_clone(const char *label, int flags) {
  static _Alignas(16) char stack[65536];
  wait_for(clone(tell_and_end, stack + sizeof stack, flags | SIGCHLD, (void *)label));
}

static void by_spawn(void) {
  pid_t child;
  char *arguments[] = {(char *)g_mask, (char *)"posix_spawn", NULL};
  if (posix_spawn(&child, g_mask, NULL, NULL, arguments, environ) != 0) abort();
  wait_for(child);
  arguments[1] = (char *)"posix_spawnp";
  if (posix_spawnp(&child, g_mask, NULL, NULL, arguments, environ) != 0) abort();
  wait_for(child);
}

static void by_shell(void) {
  char command[4096];
  snprintf(command, sizeof command, "'%s' system", g_mask);
  if (system(command) != 0) say("system failed");
  snprintf(command, sizeof command, "'%s' popen", g_mask);
  FILE *pipe = popen(command, "r");
  if (pipe == NULL) abort();
  char line[8192];
  while (fgets(line, sizeof line, pipe) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    say("%s", line);
  }
  if (pclose(pipe) != 0) say("popen failed");
}

static int has_processor(cpu_set_t *own) {
  *own = show_mask_of(0);
  return CPU_COUNT(own) == 1 && CPU_ISSET(atoi(g_processor), own);
}

static void by_taskset(void) {
  char command[4096];
  cpu_set_t own;
  if (has_processor(&own)) return;
  snprintf(command, sizeof command, "taskset -c %s '%s' taskset", g_processor, g_mask);
  if (system(command) != 0) say("taskset failed");
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(atoi(g_processor), &set);
  pid_t child = fork();
  if (child == 0) {
    if (sched_setaffinity(0, sizeof set, &set) != 0) _exit(1);
    execlp(g_mask, g_mask, "setaffinity-execlp", (char *)NULL);
    _exit(127);
  }
  wait_for(child);
}

static void by_own_mask(void) {
  char command[4096];
  cpu_set_t own;
  if (has_processor(&own)) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(atoi(g_processor), &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) abort();
  by_clone("own-clone", 0);
  by_clone("own-clone-vfork", CLONE_VM | CLONE_VFORK);
  snprintf(command, sizeof command, "'%s' own-system", g_mask);
  if (system(command) != 0) say("system failed");
  tell("own");
  if (sched_setaffinity(0, sizeof own, &own) != 0) abort();
}

static void start_all(void) {
  by_fork();
  by_fork_exec();
  by_vfork_exec();
  by_clone("clone", 0);
  by_clone("clone-vfork", CLONE_VM | CLONE_VFORK);
  by_clone("clone-shared", CLONE_VM | CLONE_FS | CLONE_FILES);
  by_spawn();
  by_shell();
  by_taskset();
  by_own_mask();
}

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  int outer = atoi(argv[1]);
  int inner = atoi(argv[2]);
  g_mask = argv[3];
  g_processor = argv[4];
#pragma omp parallel num_threads(outer)
  {
#pragma omp parallel num_threads(inner)
    {
      show("member");
#pragma omp critical
      start_all();
      show("member");
    }
  }
  start_all();
  return 0;
}
