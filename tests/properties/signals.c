/* SPDX-License-Identifier: BSD-3-Clause */
/* Signal masks and other state of signals. Each function that changes a mask has a row. */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "fortified.h"
#include "property.h"

enum { kBytes = 8, kAlternateStack = 65536 };

static const uint64_t kUser1 = 1ULL << (SIGUSR1 - 1);

static void read_mask(char text[kText]) {
  uint64_t mask = 0;
  unseen(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &mask, kBytes);
  snprintf(text, kText, "blocked %llx", (unsigned long long)mask);
}

static int block_unseen(void) {
  return (int)-unseen(SYS_rt_sigprocmask, SIG_BLOCK, &kUser1, NULL, kBytes);
}

static int unblock_unseen(void) {
  return (int)-unseen(SYS_rt_sigprocmask, SIG_UNBLOCK, &kUser1, NULL, kBytes);
}

static sigset_t user1(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  return set;
}

static int by_pthread_sigmask(void) {
  const sigset_t set = user1();
  return pthread_sigmask(SIG_BLOCK, &set, NULL);
}

static int by_sigprocmask(void) {
  const sigset_t set = user1();
  return failure(sigprocmask(SIG_BLOCK, &set, NULL));
}

/* siglongjmp restores the signal mask that sigsetjmp has stored. */
static int by_siglongjmp(void) {
  sigjmp_buf back;
  block_unseen();
  if (sigsetjmp(back, 1) == 0) {
    unblock_unseen();
    siglongjmp(back, 1);
  }
  return 0;
}

static int by_fortified_siglongjmp(void) {
  return jump_back_fortified(block_unseen, unblock_unseen);
}

static int by_setcontext(void) {
  volatile bool is_set = false;
  ucontext_t here;
  if (getcontext(&here) != 0) return errno;
  if (!is_set) {
    is_set = true;
    sigaddset(&here.uc_sigmask, SIGUSR1);
    return failure(setcontext(&here));
  }
  return 0;
}

static int by_swapcontext(void) {
  volatile bool is_set = false;
  ucontext_t here;
  ucontext_t before;
  if (getcontext(&here) != 0) return errno;
  if (!is_set) {
    is_set = true;
    sigaddset(&here.uc_sigmask, SIGUSR1);
    return failure(swapcontext(&before, &here));
  }
  return 0;
}

static int leave_pending(void) {
  int result = by_pthread_sigmask();
  return result != 0 ? result : pthread_kill(pthread_self(), SIGUSR1);
}

static void read_pending(char text[kText]) { read_status("SigPnd", text); }

static int set_alternate_stack(void) {
  static char memory[2][kAlternateStack];
  static int used;
  const stack_t stack = {.ss_sp = memory[__atomic_fetch_add(&used, 1, __ATOMIC_RELAXED) % 2],
                         .ss_size = kAlternateStack};
  return failure(sigaltstack(&stack, NULL));
}

static void read_alternate_stack(char text[kText]) {
  stack_t stack;
  unseen(SYS_sigaltstack, NULL, &stack);
  snprintf(text, kText, (stack.ss_flags & SS_DISABLE) != 0 ? "none" : "one");
}

/* A timer that sends its signals to the thread that made the timer, while that thread exists. */
static timer_t g_timer;
static bool g_has_timer;
static volatile pid_t g_came_to;

static void note_timer(int signal) {
  (void)signal;
  g_came_to = thread_id();
}

static int make_timer(void) {
  const struct sigaction action = {.sa_handler = note_timer};
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR2};
  event._sigev_un._tid = thread_id();
  if (sigaction(SIGUSR2, &action, NULL) != 0) return errno;
  g_has_timer = timer_create(CLOCK_MONOTONIC, &event, &g_timer) == 0;
  return g_has_timer ? 0 : errno;
}

static void read_timer(char text[kText]) {
  const struct itimerspec soon = {.it_value = {0, 1000000}};
  const struct timespec moment = {0, 1000000};
  g_came_to = 0;
  if (g_has_timer) timer_settime(g_timer, 0, &soon, NULL);
  for (int i = 0; i < 300 && g_has_timer && g_came_to == 0; ++i) nanosleep(&moment, NULL);
  snprintf(text, kText, g_came_to == thread_id() ? "comes to it" : "does not come to it");
}

const struct property kSignalRows[] = {
    {"signal mask: pthread_sigmask", by_pthread_sigmask, read_mask, NULL, NULL, 0},
    {"signal mask: sigprocmask", by_sigprocmask, read_mask, NULL, NULL, 0},
    {"signal mask: siglongjmp", by_siglongjmp, read_mask, NULL, NULL, 0},
    {"signal mask: siglongjmp, _FORTIFY_SOURCE", by_fortified_siglongjmp, read_mask, NULL, NULL, 0},
    {"signal mask: setcontext", by_setcontext, read_mask, NULL, NULL, 0},
    {"signal mask: swapcontext", by_swapcontext, read_mask, NULL, NULL, 0},
    {"pending signals", leave_pending, read_pending, NULL, NULL, 0},
    {"alternate signal stack", set_alternate_stack, read_alternate_stack, NULL, NULL, 0},
    {"timer: SIGEV_THREAD_ID", make_timer, read_timer, NULL, NULL, 0},
    {.name = NULL},
};
