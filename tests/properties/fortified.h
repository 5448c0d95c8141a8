/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_PROPERTIES_FORTIFIED_H
#define TESTS_PROPERTIES_FORTIFIED_H

/* Calls `first`, then sigsetjmp, which stores the signal mask. Then calls `second`, and jumps back
 * by the function that replaces siglongjmp in programs compiled with _FORTIFY_SOURCE. Returns 0. */
int jump_back_fortified(int (*first)(void), int (*second)(void));

#endif
