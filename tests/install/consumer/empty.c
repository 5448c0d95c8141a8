/* SPDX-License-Identifier: BSD-3-Clause */
/* The program's code is in the library. */
int nothing;
