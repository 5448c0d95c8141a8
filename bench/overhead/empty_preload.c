/* SPDX-License-Identifier: BSD-3-Clause */
/* A library with nothing in it: what any preload costs a process. */
extern const char bench_empty_preload;
const char bench_empty_preload = 0;
