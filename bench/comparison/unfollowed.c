/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded with libnestbind.so under valgrind: hides valgrind's own preload from libnestbind.so.
 * Otherwise libnestbind.so would not keep the workers of inner teams, since valgrind follows each
 * thread. It runs before libraries that are preloaded ahead of it. */
#include <stdlib.h>
#include <string.h>

__attribute__((constructor)) static void hide_valgrind(void) {
  char *preloads = getenv("LD_PRELOAD");
  while (preloads != NULL && (preloads = strstr(preloads, "/vgpreload_")) != NULL)
    *++preloads = '-';
}
