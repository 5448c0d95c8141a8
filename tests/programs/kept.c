/* SPDX-License-Identifier: BSD-3-Clause */
/* kept WHAT...: repeats inner teams, and checks what could go wrong if their workers are kept. For
 * each WHAT prints "WHAT good", or prints what is wrong.
 *
 * "same" requires the same inner workers in every region, "new" requires new workers. */
#define _GNU_SOURCE
#include <errno.h>
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "checks.h"
#include "kernel_threads.h"

enum { kRounds = 20, kName = 16, kMasters = 200 };

static bool same_or_new(void) {
  int seen[2] = {0, 0};
  int changed = 0;
  for (int round = 0; round < kRounds; ++round) {
#pragma omp parallel num_threads(2)
    {
      int outer = omp_get_thread_num();
#pragma omp parallel num_threads(2)
      if (omp_get_thread_num() == 1) {
        if (round > 0 && seen[outer] != thread_id()) {
#pragma omp atomic
          ++changed;
        }
        seen[outer] = thread_id();
      }
    }
  }
  say(changed == 0 ? "same" : "new");
  return true;
}

static bool sizes(void) {
  for (int round = 0; round < kRounds; ++round) {
    int outer = 1 + round % 3;
    int inner = 1 + round * 7 % 5;
    if (fork_teams(outer, inner) != outer * inner) return false;
    int members = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
#pragma omp parallel num_threads(inner) reduction(+ : members)
#pragma omp parallel num_threads(outer) reduction(+ : members)
    members += 1;
    if (members != 2 * outer * inner) return false;
  }
  return true;
}

static void *master(void *unused) {
  (void)unused;
  omp_set_max_active_levels(3);
  return fork_teams(2, 3) == 6 && fork_teams(1, 2) == 2 ? master : NULL;
}

/* The C library frees the stacks of workers that end with their primary thread. */
static bool masters(void) {
  long memory = 0;
  for (int i = 0; i < kMasters; ++i) {
    pthread_t thread;
    void *result = NULL;
    if (pthread_create(&thread, NULL, master, NULL) != 0) return false;
    if (pthread_join(thread, &result) != 0 || result == NULL) return false;
    if (i == kMasters / 4) memory = status_of("VmSize");
  }
  long grown = (status_of("VmSize") - memory) / 1024;
  if (grown > 1000) say("%ld MB of address space more", grown);
  return grown <= 1000;
}

struct inherited {
  sigset_t mask;
  char name[kName];
  int rounding;
  int nice;
};

static struct inherited inherited_here(void) {
  struct inherited here;
  memset(&here, 0, sizeof here);
  pthread_sigmask(SIG_BLOCK, NULL, &here.mask);
  prctl(PR_GET_NAME, here.name);
  here.rounding = fegetround();
  here.nice = getpriority(PRIO_PROCESS, 0);
  return here;
}

static bool is_inherited(const struct inherited *wanted) {
  struct inherited here = inherited_here();
  return memcmp(&here.mask, &wanted->mask, 16) == 0 && strcmp(here.name, wanted->name) == 0 &&
         here.rounding == wanted->rounding && here.nice == wanted->nice;
}

static void block(int signal, int how) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  pthread_sigmask(how, &set, NULL);
}

static void change_myself(int round) {
  static const int kModes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  switch (round % 4) {
    case 0:
      block(SIGUSR1, SIG_BLOCK);
      break;
    case 1:
      pthread_setname_np(pthread_self(), "changed");
      break;
    case 2:
      fesetround(kModes[round / 4 % 3]);
      break;
    default:
      break;
  }
}

static bool attributes(void) {
  int wrong = 0;
  for (int round = 0; round < kRounds; ++round) {
#pragma omp parallel num_threads(2) reduction(+ : wrong)
    {
      if (round == 3) block(SIGUSR2, SIG_BLOCK);
      if (round == 5) pthread_setname_np(pthread_self(), "a-master");
      if (round == 7) block(SIGUSR2, SIG_UNBLOCK);
      if (round == 9) fesetround(FE_TOWARDZERO);
      struct inherited mine = inherited_here();
#pragma omp parallel num_threads(3) reduction(+ : wrong)
      {
        if (!is_inherited(&mine)) ++wrong;
        if (omp_get_thread_num() > 0) change_myself(round);
      }
      fesetround(FE_TONEAREST);
    }
  }
  if (wrong > 0) say("%d threads differ from their masters", wrong);
  return wrong == 0;
}

static bool child_of_region(void) {
  fork_teams(2, 3);
  int wrong = 0;
#pragma omp parallel num_threads(2) reduction(+ : wrong)
  {
    pid_t child = fork();
    if (child == 0) {
      int members = 0;
#pragma omp parallel num_threads(3) reduction(+ : members)
      members += 1;
      _exit(members == 3 ? 7 : 8);
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 7) ++wrong;
  }
  return wrong == 0 && fork_teams(2, 3) == 6;
}

static bool cancelled(void) {
  if (!omp_get_cancellation()) return false;
  for (int round = 0; round < kRounds; ++round) {
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(3)
    {
      if (omp_get_thread_num() == round % 3) {
#pragma omp cancel parallel
      }
#pragma omp cancellation point parallel
#pragma omp barrier
    }
  }
  return fork_teams(2, 3) == 6;
}

static bool paused(void) {
  for (int round = 0; round < 3; ++round) {
    if (fork_teams(2, 3) != 6) return false;
    omp_pause_resource_all(round == 0 ? omp_pause_soft : omp_pause_hard);
  }
  return fork_teams(2, 3) == 6;
}

/* The limit allows one more stack of 64 MB (OMP_STACKSIZE), but the team needs three stacks.
 * The three idle workers already have their stacks. */
static bool limited(void) {
  const char *stack = getenv("OMP_STACKSIZE");
  if (stack == NULL || strcmp(stack, "64M") != 0 || fork_teams(1, 4) != 4) return false;
  struct rlimit limit;
  getrlimit(RLIMIT_AS, &limit);
  const struct rlimit before = limit;
  limit.rlim_cur = (rlim_t)status_of("VmSize") * 1024 + (100 << 20);
  if (setrlimit(RLIMIT_AS, &limit) != 0) return false;
  int members = 0;
#pragma omp parallel num_threads(1) reduction(+ : members)
#pragma omp parallel num_threads(1) reduction(+ : members)
#pragma omp parallel num_threads(4) reduction(+ : members)
  members += 1;
  setrlimit(RLIMIT_AS, &before);
  return members == 4;
}

static bool idle(void) {
  long before = status_of("Threads");
  if (fork_teams(1, 6) != 6) return false;
  if (status_of("Threads") < before + 5) say("the workers are not kept");
  return threads_become(before, 20) && fork_teams(1, 6) == 6;
}

/* Ending workers need a moment, so the check waits. Idle workers live longer than this. */
static bool bounded(void) {
  long before = 0;
  for (int round = 0; round < 50 * kRounds; ++round) {
    if (fork_teams(2, 3) != 6) return false;
    if (round == kRounds) before = status_of("Threads");
  }
  return threads_become(before, 3);
}

/* This check must be the last, because an inner worker calls exit. */
static bool exits(void) {
  fork_teams(2, 4);
  say("exit good");
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1 && omp_get_ancestor_thread_num(1) == 1) exit(5);
  return false;
}

static const struct check kChecks[] = {
    {"threads", same_or_new},
    {"sizes", sizes},
    {"masters", masters},
    {"attributes", attributes},
    {"child", child_of_region},
    {"cancel", cancelled},
    {"pause", paused},
    {"limit", limited},
    {"idle", idle},
    {"bounded", bounded},
    {"exit", exits},
    {NULL, NULL},
};

int main(int argc, char **argv) {
  omp_set_max_active_levels(3);
  return run_checks(kChecks, argc, argv);
}
