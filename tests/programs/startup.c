/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions in a library's constructor and destructor, in main, and in an atexit handler. */
#define _GNU_SOURCE
#include "show.h"
#include "startup_library.h"

static void at_exit(void) { startup_fork("atexit"); }

int main(void) {
  if (atexit(at_exit) != 0) return 2;
  startup_fork("main");
  return 0;
}
