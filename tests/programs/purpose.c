/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets masks. The initial thread does the steps that the arguments name, in order. CPUS is a
 * processor's number, "all", "first" or "second". These words mean processors that the process has
 * at its start.
 *
 *   set=CPUS        The thread calls sched_setaffinity.
 *   pset=CPUS       The thread calls pthread_setaffinity_np for itself.
 *   raw=CPUS        The thread calls syscall().
 *   outside=CPUS    taskset sets the mask from another process.
 *   main=CPUS       Another thread sets the initial thread's mask.
 *   thread=CPUS     Another thread sets its own mask and ends.
 *   inside=CPUS     Each member of a team sets its own mask.
 *   save, restore   The thread gets its mask by sched_getaffinity, and later sets this mask again.
 *   fork=LABEL:4x2  The thread forks nested teams. "d" is the default size. "s" means if(0).
 *   row=LABEL       The thread prints a row.
 *   child=LABEL     The thread runs the program `mask`. Its path is in the variable MASK.
 *   max=LABEL       The thread prints omp_get_max_threads.
 *   wait            The thread waits until the library asks the kernel again.
 *   pool=N          The thread forks N processes, one after the other. Each process does the later
 *                   steps. In process 3, "here" is processor 3, and "%" in a label becomes 3.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>

#include "show.h"

extern char **environ;

static cpu_set_t g_all;
static cpu_set_t g_saved;
static int g_here = -1;

/* Returns the index among the processors that the process has at its start, or -1. */
static int number_of(const char *text) {
  if (strcmp(text, "here") == 0) return g_here;
  return strcmp(text, "first") == 0 ? 0 : strcmp(text, "second") == 0 ? 1 : -1;
}

static cpu_set_t cpus_of(const char *text) {
  if (strcmp(text, "all") == 0) return g_all;
  int cpu = atoi(text);
  int number = number_of(text);
  if (number >= 0) {
    for (cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &g_all) && number-- == 0) break;
    }
  }
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  return set;
}

static void wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) abort();
  }
  if (status != 0) say("a child ended with %d", status);
}

static void set_self(const cpu_set_t *set) {
  if (sched_setaffinity(0, sizeof *set, set) != 0) abort();
}

static void set_from_outside(const char *text) {
  cpu_set_t set = cpus_of(text);
  char list[4096] = "";
  char command[8192];
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) {
      snprintf(list + strlen(list), sizeof list - strlen(list), "%s%d", *list == '\0' ? "" : ",",
               cpu);
    }
  }
  snprintf(command, sizeof command, "taskset -p -c %s %d > /dev/null", list, (int)getpid());
  if (system(command) != 0) say("taskset failed");
}

struct request {
  pthread_t main;
  cpu_set_t set;
};

static void *set_of_main(void *memory) {
  struct request *request = memory;
  if (pthread_setaffinity_np(request->main, sizeof request->set, &request->set) != 0) abort();
  return NULL;
}

static void *set_of_self(void *memory) {
  set_self(&((struct request *)memory)->set);
  return NULL;
}

static void on_thread(void *(*function)(void *), const char *text) {
  struct request request = {pthread_self(), cpus_of(text)};
  pthread_t thread;
  if (pthread_create(&thread, NULL, function, &request) != 0) abort();
  if (pthread_join(thread, NULL) != 0) abort();
}

static void set_inside(const char *text) {
  cpu_set_t set = cpus_of(text);
#pragma omp parallel num_threads(2)
  {
    set_self(&set);
  }
}

static void start_child(const char *label) {
  char *arguments[] = {(char *)"mask", (char *)label, NULL};
  pid_t child;
  if (posix_spawn(&child, getenv("MASK"), NULL, NULL, arguments, environ) != 0) abort();
  wait_for(child);
}

static void fork_teams(const char *label, const char *shape) {
  const char *rest = strchr(shape, 'x');
  if (rest != NULL) ++rest;
  if (*shape == 'd') {
#pragma omp parallel
    {
      rest == NULL ? show(label) : fork_teams(label, rest);
    }
  } else if (*shape == 's') {
#pragma omp parallel if (0)
    {
      rest == NULL ? show(label) : fork_teams(label, rest);
    }
  } else {
    int size = atoi(shape);
#pragma omp parallel num_threads(size)
    {
      rest == NULL ? show(label) : fork_teams(label, rest);
    }
  }
}

static const char *label_of(const char *value) {
  static char label[64];
  snprintf(label, sizeof label, "%.*s", (int)strcspn(value, ":"), value);
  char *mark = strchr(label, '%');
  if (mark != NULL) *mark = (char)('0' + g_here);
  return label;
}

static const char *value_of(const char *step, const char *name) {
  size_t length = strlen(name);
  return strncmp(step, name, length) == 0 ? step + length : NULL;
}

static int mask_step(const char *argument) {
  const char *value;
  if ((value = value_of(argument, "set=")) != NULL) {
    cpu_set_t set = cpus_of(value);
    set_self(&set);
  } else if ((value = value_of(argument, "pset=")) != NULL) {
    cpu_set_t set = cpus_of(value);
    if (pthread_setaffinity_np(pthread_self(), sizeof set, &set) != 0) abort();
  } else if ((value = value_of(argument, "raw=")) != NULL) {
    cpu_set_t set = cpus_of(value);
    if (syscall(SYS_sched_setaffinity, 0, sizeof set, &set) != 0) abort();
  } else if ((value = value_of(argument, "outside=")) != NULL) {
    set_from_outside(value);
  } else if ((value = value_of(argument, "main=")) != NULL) {
    on_thread(set_of_main, value);
  } else if ((value = value_of(argument, "thread=")) != NULL) {
    on_thread(set_of_self, value);
  } else if ((value = value_of(argument, "inside=")) != NULL) {
    set_inside(value);
  } else if (strcmp(argument, "save") == 0) {
    if (sched_getaffinity(0, sizeof g_saved, &g_saved) != 0) abort();
  } else if (strcmp(argument, "restore") == 0) {
    set_self(&g_saved);
  } else {
    return 0;
  }
  return 1;
}

static void steps(int count, char **arguments);

static void fork_pool(const char *value, int count, char **arguments) {
  for (int i = 0; i < atoi(value); ++i) {
    pid_t child = fork();
    if (child == 0) {
      g_here = i;
      steps(count, arguments);
      _exit(0);
    }
    wait_for(child);
  }
}

static void step(const char *argument) {
  const char *value;
  if (mask_step(argument)) return;
  if ((value = value_of(argument, "fork=")) != NULL) {
    fork_teams(label_of(value), strchr(value, ':') + 1);
  } else if ((value = value_of(argument, "row=")) != NULL) {
    show(label_of(value));
  } else if ((value = value_of(argument, "child=")) != NULL) {
    start_child(label_of(value));
  } else if ((value = value_of(argument, "max=")) != NULL) {
    say("%s %d", value, omp_get_max_threads());
  } else if (strcmp(argument, "wait") == 0) {
    usleep(1200000);
  } else {
    fprintf(stderr, "purpose: no step %s\n", argument);
    exit(2);
  }
}

static void steps(int count, char **arguments) {
  for (int i = 0; i < count; ++i) {
    const char *pool = value_of(arguments[i], "pool=");
    if (pool != NULL) {
      fork_pool(pool, count - i - 1, arguments + i + 1);
      return;
    }
    step(arguments[i]);
  }
}

int main(int argc, char **argv) {
  CPU_ZERO(&g_all);
  if (sched_getaffinity(0, sizeof g_all, &g_all) != 0) abort();
  steps(argc - 1, argv + 1);
  return 0;
}
