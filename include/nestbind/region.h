/* SPDX-License-Identifier: BSD-3-Clause */
/* The source file and lines of the parallel region that a thread is in. OPARI has written the
 * file's name and the lines into the instrumented program. The function is in libnestbind-pomp and
 * libnestbind-pomp2; instrumented programs are linked with one of these libraries. */
#ifndef NESTBIND_REGION_H
#define NESTBIND_REGION_H

#include <nestbind/nestbind.h>

#ifdef __cplusplus
extern "C" {
#endif

struct nestbind_region {
  const char *file; /* the name in the compiler's command; valid until the process ends */
  int first_line;   /* the line of the directive */
  int last_line;    /* the line of the region's end */
};

/* Finds the innermost instrumented parallel region that the calling thread is in.
 *
 * region: written only if the result is NESTBIND_OK.
 * Returns NESTBIND_OK; NESTBIND_BAD_ARGUMENT if region is null; NESTBIND_NOT_PLACED outside
 * instrumented parallel regions. */
int nestbind_get_region(struct nestbind_region *region);

#ifdef __cplusplus
}
#endif
#endif
