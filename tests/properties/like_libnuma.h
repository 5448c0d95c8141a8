/* SPDX-License-Identifier: BSD-3-Clause */
/* A library that makes system calls as libnuma does, for machines without libnuma. */
#ifndef TESTS_PROPERTIES_LIKE_LIBNUMA_H
#define TESTS_PROPERTIES_LIKE_LIBNUMA_H

long set_mempolicy(int mode, const unsigned long *nodes, unsigned long most);

/* Calls set_mempolicy as numa_bind and numa_set_interleave_mask do: by a function name that another
 * library can interpose. */
long like_numa_bind(int mode, const unsigned long *nodes, unsigned long most);

#endif
