/* SPDX-License-Identifier: BSD-3-Clause */
/* usage: processes SCRIPT RESULTS FILE   Executes a script. The process and its workers meet in
 * FILE. processes FILE NUMBER           A worker that posix_spawn has started.
 *
 *   b WORKER HOW        begins a worker; HOW is 0: fork; 1: posix_spawn
 *   r WORKER THREADS    the worker forks a team; worker 0 is the process itself
 *   a THREADS           all live workers fork a team at the same time
 *   e WORKER            the worker ends
 *   k WORKER            the worker is killed */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <omp.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "script.h"

enum { kMost = 16, kWorkers = 16, kMostCpus = 64 };

extern char **environ;

/* The process writes `asked`, the worker answers by `done`. */
static struct shared {
  int asked, done, size, ends;
  int number;
  unsigned long mask[kMost];
} *g_shared;
static pid_t g_process[kWorkers];
static int (*g_cpus)(int *, int);
static const char *g_name;
static char *g_file;

static void fork_team(int worker, int size) {
  struct shared *shared = &g_shared[worker];
#pragma omp parallel num_threads(size)
  {
    int cpu[kMostCpus];
    const int count = g_cpus(cpu, kMostCpus);
    unsigned long mask = 0;
    for (int i = 0; i < count && i < kMostCpus; ++i) mask |= 1UL << cpu[i];
    shared->mask[omp_get_thread_num()] = mask;
    if (omp_get_thread_num() == 0) shared->number = omp_get_num_threads();
    /* All members are in the team at once. */
#pragma omp barrier
  }
}

static void serve(int worker) {
  volatile struct shared *shared = &g_shared[worker];
  const pid_t parent = getppid();
  for (int done = 0;;) {
    if (shared->ends) exit(0);
    if (getppid() != parent) _exit(1);
    if (shared->asked == done) {
      usleep(500);
      continue;
    }
    done = shared->asked;
    fork_team(worker, shared->size);
    shared->done = done;
  }
}

static void begin(int worker, int how) {
  memset(&g_shared[worker], 0, sizeof g_shared[worker]);
  if (how == 0) {
    g_process[worker] = fork();
    if (g_process[worker] == 0) serve(worker);
    return;
  }
  char number[16];
  snprintf(number, sizeof number, "%d", worker);
  char *words[] = {(char *)g_name, g_file, number, NULL};
  if (posix_spawn(&g_process[worker], g_name, NULL, NULL, words, environ) != 0) abort();
}

static void ask(int worker, int size) {
  volatile struct shared *shared = &g_shared[worker];
  if (worker == 0) {
    fork_team(0, size);
    return;
  }
  shared->size = size;
  ++shared->asked;
}

static void await(int worker) {
  volatile struct shared *shared = &g_shared[worker];
  for (int i = 0; shared->done != shared->asked; ++i) {
    if (i == 60000 || waitpid(g_process[worker], NULL, WNOHANG) == g_process[worker]) {
      fprintf(stderr, "worker %d does not answer\n", worker);
      exit(3);
    }
    usleep(500);
  }
}

static void end(int worker, int is_killed) {
  if (g_process[worker] <= 0) return; /* a shortened script may end what it has not begun */
  if (is_killed) {
    kill(g_process[worker], SIGKILL);
  } else {
    g_shared[worker].ends = 1;
  }
  while (waitpid(g_process[worker], NULL, 0) < 0 && errno == EINTR) {
  }
  /* A killed process leaves the file of LLVM's runtime behind. */
  char left[64];
  snprintf(left, sizeof left, "/dev/shm/__KMP_REGISTERED_LIB_%d_%d", (int)g_process[worker],
           (int)getuid());
  unlink(left);
  g_process[worker] = 0;
}

static void print(FILE *file, int line, int worker) {
  fprintf(file, "%d %d", line, worker);
  for (int i = 0; i < g_shared[worker].number; ++i) fprintf(file, " %lx", g_shared[worker].mask[i]);
  fprintf(file, "\n");
}

static void *map(const char *name, int flags) {
  const int file = open(name, O_RDWR | flags, 0600);
  const size_t size = kWorkers * sizeof(struct shared);
  if (file < 0 || ftruncate(file, (off_t)size) != 0) abort();
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  return memory;
}

int main(int count, char **words) {
  *(void **)&g_cpus = dlsym(RTLD_DEFAULT, "nestbind_get_cpus");
  if (g_cpus == NULL || count < 3) return 2;
  g_name = words[0];
  if (count == 3) {
    g_shared = map(words[1], 0);
    serve(atoi(words[2]));
  }
  g_file = words[3];
  g_shared = map(g_file, O_CREAT);
  FILE *results = fopen(words[2], "w");
  if (results == NULL) return 2;
  setbuf(results, NULL); /* nothing is left for a forked worker */
  for (struct operation *line = read_script(words[1]); line != NULL; line = line->next) {
    const int worker = line->number[0];
    switch (line->kind) {
      case 'b':
        begin(worker, line->number[1]);
        break;
      case 'r':
        ask(worker, line->number[1]);
        if (worker > 0) await(worker);
        print(results, line->id, worker);
        break;
      case 'a':
        for (int i = 1; i < kWorkers; ++i) {
          if (g_process[i] > 0) ask(i, line->number[0]);
        }
        for (int i = 1; i < kWorkers; ++i) {
          if (g_process[i] > 0) await(i), print(results, line->id, i);
        }
        break;
      case 'e':
      case 'k':
        end(worker, line->kind == 'k');
        break;
      default:
        bad_script(line->text);
    }
  }
  for (int i = 1; i < kWorkers; ++i) {
    if (g_process[i] > 0) end(i, 0);
  }
  return 0;
}
