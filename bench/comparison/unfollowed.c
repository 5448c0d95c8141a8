/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded beside libnestbind.so under valgrind: hides valgrind's own preload from it, so that it
 * keeps the workers of inner teams, which it does not where each thread is followed. Begins before
 * libraries that are preloaded ahead of it. */
#include <stdlib.h>
#include <string.h>

__attribute__((constructor)) static void hide_valgrind(void) {
  char *preloads = getenv("LD_PRELOAD");
  while (preloads != NULL && (preloads = strstr(preloads, "/vgpreload_")) != NULL)
    *++preloads = '-';
}
