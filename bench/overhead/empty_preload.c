/* SPDX-License-Identifier: BSD-3-Clause */
/* An empty library: the cost of any preload for a process. */
extern const char bench_empty_preload;
const char bench_empty_preload = 0;
