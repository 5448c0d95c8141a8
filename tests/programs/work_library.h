/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef WORK_LIBRARY_H
#define WORK_LIBRARY_H

void work(const char *label, int outer, int inner);
void work_defaults(const char *label);
void work_inner(const char *label, int caller, int size);

#endif
