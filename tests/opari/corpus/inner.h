/* SPDX-License-Identifier: BSD-3-Clause */
/* A region in a header. */
static inline int in_header(void) {
  int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  sum += omp_get_thread_num() + 1, ROW("all_header");
  return sum;
}
