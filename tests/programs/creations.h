/* SPDX-License-Identifier: BSD-3-Clause */
/* The ways in which a program creates threads and processes. */
#pragma once

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

#include "checks.h"
#include "kernel_threads.h"

extern char **environ;

static void *tell_id(void *id) {
  *(int *)id = thread_id();
  return NULL;
}
static int tell_id_too(void *id) {
  tell_id(id);
  return 0;
}

/* The kernel may still count a thread for a moment after the thread was joined. */
static bool is_gone(int id) {
  for (int tries = 0; tries < 2000; ++tries) {
    if (syscall(SYS_tgkill, getpid(), id, 0) != 0) return true;
    usleep(10000);
  }
  return false;
}

static bool ended_well(pid_t child) {
  int status = -1;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static bool by_pthread(void) {
  pthread_t thread;
  int id = 0;
  return pthread_create(&thread, NULL, tell_id, &id) == 0 && pthread_join(thread, NULL) == 0 &&
         is_gone(id);
}

static bool by_thrd(void) {
  thrd_t thread;
  int id = 0;
  return thrd_create(&thread, tell_id_too, &id) == thrd_success &&
         thrd_join(thread, NULL) == thrd_success && is_gone(id);
}

static bool by_fork(void) {
  pid_t child = fork();
  if (child == 0) _exit(0);
  return ended_well(child);
}

static bool by_Fork(void) {
  pid_t child = _Fork();
  if (child == 0) _exit(0);
  return ended_well(child);
}

static int leave(void *unused) {
  (void)unused;
  _exit(0);
}

static bool by_clone(void) {
  static char stack[1 << 16];
  return ended_well(clone(leave, stack + sizeof stack, SIGCHLD, NULL));
}

static bool by_clone_sharing(void) {
  static char stack[1 << 16];
  return ended_well(clone(leave, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, NULL));
}

static bool by_spawn(void) {
  char *arguments[] = {"sh", "-c", "exit 0", NULL};
  pid_t child = 0;
  return posix_spawn(&child, "/bin/sh", NULL, NULL, arguments, environ) == 0 && ended_well(child);
}

static bool by_spawnp(void) {
  char *arguments[] = {"sh", "-c", "exit 0", NULL};
  pid_t child = 0;
  return posix_spawnp(&child, "sh", NULL, NULL, arguments, environ) == 0 && ended_well(child);
}

static bool by_system(void) { return system("exit 0") == 0; }

static bool by_popen(void) {
  FILE *pipe = popen("exit 0", "r");
  return pipe != NULL && pclose(pipe) == 0;
}

/* Must be called last, because the runtime keeps the threads that it creates here. */
static bool by_runtime(void) { return fork_teams(5, 1) == 5; }

static const struct {
  const char *name;
  bool (*create)(void);
} kWays[] = {
    {"pthread_create", by_pthread},
    {"thrd_create", by_thrd},
    {"fork", by_fork},
    {"_Fork", by_Fork},
    {"clone", by_clone},
    {"clone, sharing memory", by_clone_sharing},
    {"posix_spawn", by_spawn},
    {"posix_spawnp", by_spawnp},
    {"system", by_system},
    {"popen", by_popen},
    {"a larger team", by_runtime},
};
