/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef STARTUP_LIBRARY_H
#define STARTUP_LIBRARY_H

/* Forks nested teams, 2x2, inside the library. */
void startup_fork(const char *label);

#endif
