/* SPDX-License-Identifier: BSD-3-Clause */
/* disturbed OUTER INNER WHAT: disturbs the first fork of a nested team at each allocation of the
 * library (disturber.c).
 *
 * signal: a signal handler forks a process, which forks nested teams. fault: the same with SIGSEGV,
 * which nestbind must not block. cancel: a thread of a child process is cancelled at the
 * allocation. The thread has asynchronous cancellation. Then the child's initial thread forks
 * teams. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "show.h"

#pragma weak disturb_with
void disturb_with(void (*function)(void));

enum { kPatience = 60 };

static int g_outer;
static int g_inner;
static int g_signal;
static int g_disturbed;
static long g_calls;
static long g_next = 1;

static void disturb_by(void (*function)(void)) {
  if (disturb_with != NULL) disturb_with(function);
}

static void nested(const char *label) {
#pragma omp parallel num_threads(g_outer)
  {
#pragma omp parallel num_threads(g_inner)
    if (label != NULL) show(label);
  }
}

static void expect_child(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) abort();
  }
  if (status != 0) say("child ended with %d", status);
}

/* After SIGSEGV the child is not bound, but it can still fork teams. */
static void in_handler(int signal) {
  int kept = errno;
  g_disturbed = 1;
  pid_t child = fork();
  if (child == 0) {
    alarm(kPatience);
    disturb_by(NULL);
    nested(signal == SIGUSR1 ? "child" : NULL);
    _exit(0);
  }
  expect_child(child);
  errno = kept;
}

/* Raises the signal at some calls only, because hwloc allocates thousands of times. */
static void raise_sometimes(void) {
  if (++g_calls < g_next) return;
  g_next += 1 + g_calls / 2;
  raise(g_signal);
}

static void interrupt(int signal) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = in_handler;
  if (sigaction(signal, &action, NULL) != 0) abort();
  g_signal = signal;
  alarm(kPatience);
  disturb_by(raise_sometimes);
  nested("parent");
  disturb_by(NULL);
  nested("parent");
  if (g_disturbed) say("disturbed");
}

static void cancel_once(void) {
  if (++g_calls != g_next) return;
  g_disturbed = 1;
  pthread_cancel(pthread_self());
}

static void *fork_and_end(void *unused) {
  (void)unused;
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  disturb_by(cancel_once);
  nested(NULL);
  disturb_by(NULL);
  return NULL;
}

/* Returns the child's status: 0 if the thread was cancelled at this call, otherwise 3. */
static int cancelled_at(long call) {
  g_next = call;
  alarm(kPatience);
  pthread_t thread;
  void *result = NULL;
  if (pthread_create(&thread, NULL, fork_and_end, NULL) != 0) abort();
  pthread_join(thread, &result);
  if ((result == PTHREAD_CANCELED) != g_disturbed) say("not cancelled");
  disturb_by(NULL);
  nested("after");
  return g_disturbed ? 0 : 3;
}

static void cancel_everywhere(void) {
  int disturbed = 0;
  for (long call = 1, status = 0; status == 0; call += 1 + call / 2) {
    pid_t child = fork();
    if (child == 0) _exit(cancelled_at(call));
    int ended = 0;
    if (waitpid(child, &ended, 0) != child || !WIFEXITED(ended)) {
      say("child ended with %d", ended);
      return;
    }
    status = WEXITSTATUS(ended);
    disturbed += status == 0;
  }
  if (disturbed > 0) say("disturbed");
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  g_outer = atoi(argv[1]);
  g_inner = atoi(argv[2]);
  if (strcmp(argv[3], "cancel") == 0) {
    cancel_everywhere();
  } else {
    interrupt(strcmp(argv[3], "fault") == 0 ? SIGSEGV : SIGUSR1);
  }
  return 0;
}
