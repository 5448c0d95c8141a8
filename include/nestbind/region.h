/* SPDX-License-Identifier: BSD-3-Clause */
/* The source of the parallel region that a thread is in, as OPARI has written it into an
 * instrumented program. These functions are in libnestbind-pomp and libnestbind-pomp2, with which
 * such programs are linked. */
#ifndef NESTBIND_REGION_H
#define NESTBIND_REGION_H

#include <nestbind/nestbind.h>

#ifdef __cplusplus
extern "C" {
#endif

struct nestbind_region {
  const char *file; /* its name in the compiler's command; valid until the process ends */
  int first_line;   /* of the directive */
  int last_line;    /* of the region's end */
};

/* The innermost instrumented parallel region that the calling thread is a member of.
 *
 * region: written only on success.
 * Returns NESTBIND_OK; NESTBIND_BAD_ARGUMENT if region is null; NESTBIND_NOT_PLACED outside
 * instrumented parallel regions. */
int nestbind_get_region(struct nestbind_region *region);

#ifdef __cplusplus
}
#endif
#endif
