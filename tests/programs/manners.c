/* SPDX-License-Identifier: BSD-3-Clause */
/* manners SIZE UNCHECKED: a fork must not change errno, the signal mask or the floating-point
 * rounding mode. Prints only faults. Does not check the first UNCHECKED forks, because libomp's
 * first fork changes errno. */
#define _GNU_SOURCE
#include <errno.h>
#include <fenv.h>
#include <signal.h>

#include "show.h"

static void check(const char *where, int wanted) {
  if (errno != wanted) say("errno %d in place of %d %s", errno, wanted, where);
  sigset_t mask;
  sigemptyset(&mask);
  pthread_sigmask(SIG_BLOCK, NULL, &mask);
  if (sigismember(&mask, SIGUSR1) != 1) say("SIGUSR1 is not blocked %s", where);
  if (sigismember(&mask, SIGUSR2) != 0) say("SIGUSR2 is blocked %s", where);
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  int size = atoi(argv[1]);
  int unchecked = atoi(argv[2]);
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &mask, NULL);
  for (int round = 0; round < 10; ++round) {
    int checked = round >= unchecked;
    errno = 4000 + round;
    fesetround(FE_UPWARD);
#pragma omp parallel num_threads(size)
    {
      if (checked && omp_get_thread_num() == 0) check("at the start of a region", 4000 + round);
      errno = 5000;
#pragma omp parallel num_threads(2)
      if (checked && omp_get_thread_num() == 0) check("at the start of an inner region", 5000);
      if (checked) check("after an inner region", 5000);
    }
    if (checked) check("after a region", 5000);
    if (fegetround() != FE_UPWARD) say("another rounding mode after a region");
  }
  say("done");
  return 0;
}
