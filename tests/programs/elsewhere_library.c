/* SPDX-License-Identifier: BSD-3-Clause */
#include <unistd.h>

__attribute__((constructor)) static void loaded(void) {
  static const char text[] = "loaded from elsewhere\n";
  if (write(1, text, sizeof text - 1) < 0) _exit(1);
}
