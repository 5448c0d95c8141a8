/* SPDX-License-Identifier: BSD-3-Clause */
/* Hides from libnestbind.so that valgrind is preloaded. If libnestbind.so sees valgrind, it does
 * not keep the workers of inner teams. LD_PRELOAD names this library after libnestbind.so, so the
 * constructor of this library runs first. */
#include <stdlib.h>
#include <string.h>

__attribute__((constructor)) static void hide_valgrind(void) {
  char *preloads = getenv("LD_PRELOAD");
  while (preloads != NULL && (preloads = strstr(preloads, "/vgpreload_")) != NULL)
    *++preloads = '-';
}
