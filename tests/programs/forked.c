/* SPDX-License-Identifier: BSD-3-Clause */
/* forked OUTER INNER: the program forks a child process before its first region. Parent and child
 * fork teams at the same time. */
#define _GNU_SOURCE
#include <sys/wait.h>

#include "show.h"

static void nested(const char *label, int outer, int inner) {
#pragma omp parallel num_threads(outer)
  {
#pragma omp parallel num_threads(inner)
    show(label);
  }
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  int outer = atoi(argv[1]);
  int inner = atoi(argv[2]);
  pid_t child = fork();
  if (child < 0) abort();
  nested(child == 0 ? "child" : "parent", outer, inner);
  if (child == 0) return 0;
  int status = 0;
  if (waitpid(child, &status, 0) != child || status != 0) say("child ended with %d", status);
  nested("parent", outer, inner);
  return 0;
}
