/* SPDX-License-Identifier: BSD-3-Clause */
/* vforked OUTER INNER MASK: what vfork promises, from one member of a nested team after the other:
 * its child returns into other calls, which use the creator's stack, forks so itself, and tries to
 * execute a program; the creator finds its variables, errno and the child's number. One that fails
 * says why. MASK is the program mask. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "show.h"

extern char **environ;
extern __typeof__(vfork) __vfork;

static int g_wrong;

static void expect(int is_right, const char *what) {
  if (!is_right) {
    say("wrong: %s", what);
    g_wrong = 1;
  }
}

static void tell(const char *label) {
  char cpus[8192];
  show_cpus(cpus, sizeof cpus);
  say("@ %s - - %ld %s", label, (long)getpid(), cpus);
}

/* Overwrites what is below its caller's frame. */
__attribute__((noinline)) static void use_stack(int depth) {
  volatile char frame[1024];
  memset((char *)frame, 0x5a, sizeof frame);
  if (depth > 0) use_stack(depth - 1);
  if (frame[0] != 0x5a) abort();
}

__attribute__((noinline)) static pid_t forked_deep(const char *label) {
  pid_t child = __vfork();
  if (child == 0) {
    use_stack(16);
    tell(label);
    _exit(7);
  }
  return child;
}

static void expect_status(pid_t child, int wanted) {
  int status = 0;
  errno = 0;
  expect(child > 0 && waitpid(child, &status, 0) == child, "the child's number");
  expect(WIFEXITED(status) && WEXITSTATUS(status) == wanted, "the child's status");
}

static void check_child(void) {
  long before[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  errno = 4711;
  pid_t child = vfork();
  if (child == 0) {
    use_stack(16);
    tell("child");
    int kept = errno;
    pid_t grandchild = forked_deep("grandchild");
    int status = 0;
    if (waitpid(grandchild, &status, 0) != grandchild || WEXITSTATUS(status) != 7) _exit(1);
    char *arguments[] = {(char *)"nobody", NULL};
    if (execve("/nobody/has/such/a/program", arguments, environ) != -1 || errno != ENOENT) _exit(2);
    tell("failed");
    errno = kept;
    _exit(3);
  }
  expect(errno == 4711, "errno");
  long sum = 0;
  for (int i = 0; i < 8; ++i) sum += before[i];
  expect(sum == 36, "a variable");
  expect_status(child, 3);
}

static void check_execution(const char *mask) {
  pid_t child = vfork();
  if (child == 0) {
    char *arguments[] = {(char *)mask, (char *)"executed", NULL};
    execve(mask, arguments, environ);
    _exit(127);
  }
  expect_status(child, 0);
}

/* In a child that has forked a team, and may have no further process: it stays where it is. */
static void check_failure(int size) {
  pid_t child = fork();
  if (child == 0) {
#pragma omp parallel num_threads(size)
    if (omp_get_num_threads() != size) abort();
    struct rlimit none = {0, 0};
    if (setrlimit(RLIMIT_NPROC, &none) != 0 || (getuid() == 0 && setuid(65534) != 0)) _exit(1);
    errno = 0;
    pid_t refused = vfork();
    if (refused == 0) _exit(0);
    if (refused != -1 || errno != EAGAIN) _exit(6);
    tell("refused");
    _exit(5);
  }
  expect_status(child, 5);
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  int outer = atoi(argv[1]);
  int inner = atoi(argv[2]);
  check_failure(outer);
#pragma omp parallel num_threads(outer)
  {
#pragma omp parallel num_threads(inner)
    {
      show("member");
#pragma omp critical
      {
        g_wrong = 0;
        check_child();
        check_execution(argv[3]);
        if (!g_wrong) say("vforked good");
      }
      show("behind");
    }
  }
  return 0;
}
