/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells the Fortran benchmark the processors that the calling thread may run on. */
#define _GNU_SOURCE
#include <string.h>

#include "processors_seen.h"

void allowed_processors(char *text, int length);

void allowed_processors(char *text, int length) {
  static _Thread_local struct processors allowed;
  char found[kProcessorText];
  memset(&allowed, 0, sizeof allowed);
  note_allowed(&allowed);
  print_processors(&allowed, found);
  for (int i = 0, ended = 0; i < length; ++i) {
    ended = ended || i >= kProcessorText || found[i] == '\0';
    text[i] = ended ? ' ' : found[i];
  }
}
