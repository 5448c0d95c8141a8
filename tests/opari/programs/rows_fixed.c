/* SPDX-License-Identifier: BSD-3-Clause */
/* show_row for FORTRAN 77, in which a program cannot declare the arguments of a C function. */
void show_row(const char *label, int length);

void show_row_fixed_(void) { show_row("row", 3); }
