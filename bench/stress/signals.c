/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends signals at 1 kHz, to any thread that does not block them. */
#define _GNU_SOURCE
#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "stress.h"

enum { kReported = 500, kWaited = 5 };

static _Atomic long g_taken;
static _Atomic long g_taken_though_blocked;

static int signal_number(uint64_t which) {
  switch (which % 3) {
    case 0:
      return SIGUSR1;
    case 1:
      return SIGUSR2;
    default:
      return SIGRTMIN + 1;
  }
}

static int awaited_signal(void) { return SIGRTMIN + 3; }

static void take(int signal) {
  const int kept = errno;
  atomic_fetch_add(&g_taken, 1);
  if (signal == awaited_signal()) atomic_fetch_add(&g_taken_though_blocked, 1);
  errno = kept;
}

long signals_taken(void) { return atomic_load(&g_taken); }

/* Sends the signals, and prints the number of regions, so that stress.py sees that the process does
 * not hang. */
static void *send_signals(void *unused) {
  (void)unused;
  const struct timespec moment = {0, 1000000};
  uint64_t state = 1;
  for (long sent = 0;; ++sent) {
    kill(getpid(), signal_number(next_random(&state)));
    if (sent % kReported == 0) {
      char line[64];
      int length = snprintf(line, sizeof line, "at %ld\n", atomic_load(&g_regions));
      if (write(STDOUT_FILENO, line, (size_t)length) < 0) return NULL;
    }
    nanosleep(&moment, NULL);
  }
}

void begin_signals(void) {
  struct sigaction action = {.sa_handler = take, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  for (uint64_t which = 0; which < 3; ++which) sigaction(signal_number(which), &action, NULL);
  sigaction(awaited_signal(), &action, NULL);
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  if (pthread_create(&thread, NULL, send_signals, NULL) == 0) pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void change_mask(uint64_t *state) {
  sigset_t set;
  sigemptyset(&set);
  for (uint64_t which = 0; which < 3; ++which) {
    if (one_in(state, 2)) sigaddset(&set, signal_number(which));
  }
  pthread_sigmask(one_in(state, 2) ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

void wait_for_blocked_signal(void) {
  sigset_t set;
  sigset_t before;
  sigemptyset(&set);
  sigaddset(&set, awaited_signal());
  pthread_sigmask(SIG_BLOCK, &set, &before);
  kill(getpid(), awaited_signal());
  const struct timespec patience = {1, 0};
  const double begin = omp_get_wtime();
  int got; /* a call that another signal interrupts is repeated */
  do {
    got = sigtimedwait(&set, NULL, &patience);
  } while (got < 0 && omp_get_wtime() - begin < kWaited);
  if (got != awaited_signal()) {
    wrong("a signal that all block", got, awaited_signal());
    wrong("taken by others", atomic_load(&g_taken_though_blocked), 0);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}
