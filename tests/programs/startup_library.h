/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef STARTUP_LIBRARY_H
#define STARTUP_LIBRARY_H

/* A nested 2x2 fork inside the library. */
void startup_fork(const char *label);

#endif
