/* SPDX-License-Identifier: BSD-3-Clause */
/* worker_pool WORKERS SIZE: the program forks WORKERS child processes. After all of them have
 * begun, each forks one team of SIZE threads, at the same time. Which worker has which part of the
 * machine is not specified, so the program prints the teams in the order of their first processors:
 * team0, team1, ... */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "show.h"

enum { kMostWorkers = 16, kMostThreads = 16, kText = 64 };

static struct {
  int begun;
  int forked;
  struct member {
    char cpus[kText];
    long thread;
  } team[kMostWorkers][kMostThreads];
} *g_shared;

static void run_worker(int worker, int workers, int size) {
  show_meet(&g_shared->begun, workers);
#pragma omp parallel num_threads(size)
  {
    struct member *const member = &g_shared->team[worker][omp_get_thread_num()];
    member->thread = syscall(SYS_gettid);
    show_cpus(member->cpus, kText);
  }
  show_meet(&g_shared->forked, workers);
  exit(0);
}

static int compare(const void *one, const void *other) {
  return atoi(((const struct member *)one)->cpus) - atoi(((const struct member *)other)->cpus);
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  const int workers = atoi(argv[1]);
  const int size = atoi(argv[2]);
  if (workers > kMostWorkers || size > kMostThreads) return 2;
  g_shared =
      mmap(NULL, sizeof *g_shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (g_shared == MAP_FAILED) abort();
  for (int worker = 0; worker < workers; ++worker) {
    const pid_t child = fork();
    if (child < 0) abort();
    if (child == 0) run_worker(worker, workers, size);
  }
  int status = 0;
  while (wait(&status) > 0 || errno == EINTR) {
    if (status != 0) say("a worker fails");
  }
  qsort(g_shared->team, (size_t)workers, sizeof g_shared->team[0], compare);
  for (int team = 0; team < workers; ++team) {
    for (int thread = 0; thread < size; ++thread) {
      const struct member *const member = &g_shared->team[team][thread];
      say("@ team%d %d %d %ld %s", team, thread, size, member->thread, member->cpus);
    }
  }
  return 0;
}
