/* SPDX-License-Identifier: BSD-3-Clause */
/* All code of the program, also main, is in the library that it links. */
int nothing;
