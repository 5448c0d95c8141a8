/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks the planner which process gets which rank. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* What the new ranks send: a grid if `dims` > 0, otherwise rank r sends bytes[i] to other[i], for
 * each i from begin[r] to begin[r + 1] - 1. */
struct Pattern {
  int ranks;
  int dims;
  const int *lengths, *is_periodic;
  const long *begin;
  const int *other;
  const double *bytes; /* null: all 1 */
};

struct Gain {
  double before, after; /* between nodes */
  int nodes;
};

/* node: of each process. path: as in struct Nodes. process: written, the process of each new rank.
 * Returns 1 if this order is better than the old one. The same arguments give the same order in
 * each process. Says on the standard error output if the planner is missing or refuses. */
int nestbind_place(const struct Pattern *pattern, const int *node, char *const *path, int *process,
                   struct Gain *gain);

#ifdef __cplusplus
}
#endif
