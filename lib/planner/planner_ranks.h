/* SPDX-License-Identifier: BSD-3-Clause */
/* What libnestbind-planner.so does for the libraries of MPI, which are C: finds the processes of a
 * job's ranks. It may be called at any time, by any thread. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* `from` sends so many bytes to `to`. */
struct nestbind_edge {
  int from, to;
  double bytes;
};

struct nestbind_job {
  int ranks, nodes;
  const int *node; /* of each process, from 0 */
  /* The switches above each node, and the node, with points between them, as in
   * SLURM_TOPOLOGY_ADDR ("core.s0.n3"). Null: all nodes are equally far. */
  char *const *path;
  /* A grid of all ranks, numbered along the last dimension; if `dims` is 0, the edges count. */
  int dims;
  const int *lengths, *is_periodic;
  int edges;
  const struct nestbind_edge *edge;
};

struct nestbind_gain {
  double bytes_before, bytes;         /* between nodes */
  double hop_bytes_before, hop_bytes; /* bytes between nodes times hops */
};

/* Writes the process of each rank, a permutation of 0 to ranks - 1: before, rank i was process i.
 * The bytes between nodes, the hop-bytes and the busiest link's load never rise. Writes the same
 * for the same job in each process; 0, 1, 2, ... without gain. Returns 0 if memory lacks. */
int nestbind_planner_ranks_1(const struct nestbind_job *job, int *process,
                             struct nestbind_gain *gain);

#ifdef __cplusplus
}
#endif
