/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the function of fix.h callable from Fortran. */
#include "../fix.h"

void heat_fix(const char *way, void *array, size_t bytes);

void heat_fix(const char *way, void *array, size_t bytes) { fix(way, array, bytes); }
