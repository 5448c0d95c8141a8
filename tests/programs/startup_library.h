/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef STARTUP_LIBRARY_H
#define STARTUP_LIBRARY_H

void startup_fork(const char *label);

#endif
