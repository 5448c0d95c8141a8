/* SPDX-License-Identifier: BSD-3-Clause */
/* show_row for FORTRAN 77, which cannot declare a C function's arguments. */
void show_row(const char *label, int length);

void show_row_fixed_(void) { show_row("row", 3); }
