/* SPDX-License-Identifier: BSD-3-Clause */
/* This library is preloaded together with libnestbind.so under valgrind. It hides from
 * libnestbind.so that valgrind is preloaded. Otherwise libnestbind.so would not keep the workers of
 * inner teams, because valgrind follows each thread. Its constructor runs before those of the
 * libraries that are named before it in LD_PRELOAD. */
#include <stdlib.h>
#include <string.h>

__attribute__((constructor)) static void hide_valgrind(void) {
  char *preloads = getenv("LD_PRELOAD");
  while (preloads != NULL && (preloads = strstr(preloads, "/vgpreload_")) != NULL)
    *++preloads = '-';
}
