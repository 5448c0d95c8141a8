/* SPDX-License-Identifier: BSD-3-Clause */
/* alike WHAT...: does what a correct program may do with its threads. A worker of an inner region
 * must be like a new thread. For each WHAT prints
 *
 *   WHAT good
 */
#define _GNU_SOURCE
#include <alloca.h>
#include <fenv.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <ucontext.h>

#include "checks.h"
#include "show.h"

enum { kRounds = 5, kKilobyte = 1024, kMegabyte = 1024 * kKilobyte };

static bool g_good;

static void on_worker(void (*action)(void)) {
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) action();
}

static void divide_by_zero_quietly(void) {
  fenv_t before;
  feholdexcept(&before);
  volatile long double zero = 0;
  volatile long double result = 1 / zero;
  (void)result;
  volatile double small_zero = 0;
  volatile double small_result = 1 / small_zero;
  (void)small_result;
  fesetenv(FE_DFL_ENV);
}

static void leave_exceptions(void) {
  fenv_t before;
  feholdexcept(&before);
  volatile long double zero = 0;
  volatile long double result = 1 / zero;
  (void)result;
}

static void divide(void) {
  volatile long double one = 1;
  volatile long double result = one / 2;
  g_good = result == 0.5L && fetestexcept(FE_DIVBYZERO) == 0;
}

static bool trap(void) {
  bool good = true;
  for (int round = 0; round < kRounds && good; ++round) {
    on_worker(divide_by_zero_quietly);
    on_worker(leave_exceptions);
    feenableexcept(FE_DIVBYZERO);
    g_good = false;
    on_worker(divide);
    fedisableexcept(FE_DIVBYZERO);
    good = g_good;
  }
  return good;
}

static size_t g_depth;

static void use_stack(void) {
  char *memory = alloca(g_depth);
  for (size_t at = 0; at < g_depth; at += kKilobyte) ((volatile char *)memory)[at] = 1;
  g_good = true;
}

static bool stack(void) {
  bool good = true;
  for (size_t size = 16; size <= 128 && good; size *= 2) {
    pthread_attr_t attributes;
    pthread_getattr_default_np(&attributes);
    pthread_attr_setstacksize(&attributes, size * kMegabyte);
    pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
    g_depth = (size - 1) * kMegabyte;
    g_good = false;
    on_worker(use_stack);
    good = g_good;
  }
  return good;
}

static ucontext_t g_main;
static ucontext_t g_other;
static int g_returns;

static void go_back(void) { setcontext(&g_main); }

/* swapcontext saves a context, and the program continues from this context more than once. */
static bool contexts(void) {
  static char memory[64 * kKilobyte];
  g_returns = 0;
  getcontext(&g_other);
  g_other.uc_stack.ss_sp = memory;
  g_other.uc_stack.ss_size = sizeof memory;
  g_other.uc_link = NULL;
  makecontext(&g_other, go_back, 0);
  swapcontext(&g_main, &g_other);
  if (++g_returns < kRounds) setcontext(&g_main);
  return g_returns == kRounds;
}

static sigjmp_buf g_place;

static void jump_in_handler(int signal) {
  (void)signal;
  siglongjmp(g_place, 1);
}

static void jump_out_of_handler(void) {
  for (int round = 0; round < kRounds; ++round) {
    if (sigsetjmp(g_place, 1) == 0) {
      raise(SIGUSR1);
      g_good = false;
    }
  }
}

static bool jumps(void) {
  signal(SIGUSR1, jump_in_handler);
  g_good = true;
  on_worker(jump_out_of_handler);
  jump_out_of_handler();
  on_worker(jump_out_of_handler);
  signal(SIGUSR1, SIG_DFL);
  return g_good;
}

static const struct check kChecks[] = {
    {"trap", trap}, {"stack", stack}, {"contexts", contexts}, {"jumps", jumps}, {NULL, NULL},
};

int main(int argc, char **argv) {
  int status = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(1)
  status = run_checks(kChecks, argc, argv);
  return status;
}
