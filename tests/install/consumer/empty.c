/* SPDX-License-Identifier: BSD-3-Clause */
/* The program is in the library. */
int nothing;
