/* SPDX-License-Identifier: BSD-3-Clause */
/* elsewhere.c puts this library where the planner would be if the preloaded name were relative to
 * the current folder. */
#include <unistd.h>

__attribute__((constructor)) static void loaded(void) {
  static const char text[] = "loaded from elsewhere\n";
  if (write(1, text, sizeof text - 1) < 0) _exit(1);
}
