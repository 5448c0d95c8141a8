/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the functions of timed_part.h callable from Fortran. */
#include "../timed_part.h"

void heat_timed_part_begin(void);
void heat_timed_part_end(void);
void heat_timed_part_array(const void *begin, size_t bytes);

void heat_timed_part_begin(void) { timed_part_begin(); }
void heat_timed_part_end(void) { timed_part_end(); }
void heat_timed_part_array(const void *begin, size_t bytes) { timed_part_array(begin, bytes); }
