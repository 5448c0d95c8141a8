/* SPDX-License-Identifier: BSD-3-Clause */
/* A library built like libnuma, for machines without libnuma. */
#ifndef TESTS_PROPERTIES_LIKE_LIBNUMA_H
#define TESTS_PROPERTIES_LIKE_LIBNUMA_H

long set_mempolicy(int mode, const unsigned long *nodes, unsigned long most);

/* Calls set_mempolicy as numa_bind and numa_set_interleave_mask do: by a name that another
 * library may also define. */
long like_numa_bind(int mode, const unsigned long *nodes, unsigned long most);

#endif
