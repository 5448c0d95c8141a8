/* SPDX-License-Identifier: BSD-3-Clause */
/* The plugin's options: the machine's shape, which `tests/guest/guest shape` prints, and the output
 * files. */
#ifndef NESTBIND_BENCH_OPTIONS_H
#define NESTBIND_BENCH_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

enum { kMaxNodes = 64 };

struct Options {
  const char *csv;
  const char *lines; /* file for cache lines; null if they are not counted */
  uint64_t nodes;    /* at most kMaxNodes */
  uint64_t node_bytes;
  uint64_t processors_a_node;
};

/* Reads `csv=FILE nodes=N node-bytes=N processors-a-node=N [lines=FILE]` into `options`, whose
 * members must be zero before. The texts in argv must stay valid. */
bool read_options(struct Options *options, int argc, char **argv);

#endif
