/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_PROPERTIES_FORTIFIED_H
#define TESTS_PROPERTIES_FORTIFIED_H

/* Calls `first`, notes the place with its signal mask, calls `second`, and jumps back to it, by the
 * function that programs built with _FORTIFY_SOURCE have in place of siglongjmp. Returns 0. */
int jump_back_fortified(int (*first)(void), int (*second)(void));

#endif
