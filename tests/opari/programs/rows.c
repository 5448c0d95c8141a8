/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a row for the calling thread, for programs in Fortran and C++. Is compiled without
 * instrumentation. */
#define _GNU_SOURCE
#include "../../programs/show.h"

/* label: a text of `length` bytes, filled with blanks. */
void show_row(const char *label, int length) {
  char text[64];
  snprintf(text, sizeof text, "%.*s", length, label);
  char *blank = text;
  while (*blank != '\0' && *blank != ' ') ++blank;
  *blank = '\0';
  show(text);
}

void say_number(const char *label, int length, int number) {
  say("%.*s %d", length, label, number);
}
