/* SPDX-License-Identifier: BSD-3-Clause */
/* The smallest possible launcher: it is statically linked, sets variables, and executes a program.
 *
 *   launcher VARIABLE=VALUE ... -- PROGRAM [ARGUMENT ...] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int i = 1;
  while (i < argc && strcmp(argv[i], "--") != 0) {
    if (strchr(argv[i], '=') == NULL || putenv(argv[i]) != 0) return 126;
    ++i;
  }
  if (i + 1 >= argc) {
    fputs("usage: launcher VARIABLE=VALUE ... -- PROGRAM [ARGUMENT ...]\n", stderr);
    return 126;
  }
  execv(argv[i + 1], argv + i + 1);
  perror(argv[i + 1]);
  return 127;
}
