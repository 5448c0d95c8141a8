/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TESTS_PROPERTIES_FORTIFIED_H
#define TESTS_PROPERTIES_FORTIFIED_H

/* Calls `first`, and stores the signal mask by sigsetjmp. Then calls `second`, and jumps back. With
 * _FORTIFY_SOURCE another function replaces siglongjmp. Returns 0. */
int jump_back_fortified(int (*first)(void), int (*second)(void));

#endif
