/* SPDX-License-Identifier: BSD-3-Clause */
/* An empty library. It shows what any preloaded library costs a process. */
extern const char bench_empty_preload;
const char bench_empty_preload = 0;
