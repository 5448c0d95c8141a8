/* SPDX-License-Identifier: BSD-3-Clause */
/* The markers as functions, for Fortran. */
#include "marker.h"

void access_counter_array_function(const void *begin, size_t bytes);
void access_counter_start_function(void);
void access_counter_stop_function(void);

void access_counter_array_function(const void *begin, size_t bytes) {
  access_counter_array(begin, bytes);
}
void access_counter_start_function(void) { access_counter_start(); }
void access_counter_stop_function(void) { access_counter_stop(); }
