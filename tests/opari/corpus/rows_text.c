/* SPDX-License-Identifier: BSD-3-Clause */
/* FORTRAN 77 passes a text's length after all arguments. */
#include <stddef.h>

void show_row(const char *label, int length);
void say_number(const char *label, int length, int number);

void show_row_text_(const char *label, size_t length) { show_row(label, (int)length); }

void say_number_text_(const char *label, const int *number, size_t length) {
  say_number(label, (int)length, *number);
}
