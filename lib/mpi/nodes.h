/* SPDX-License-Identifier: BSD-3-Clause */
/* Which rank is on which node. Exchanged once, in MPI_Init, if NESTBIND_REORDER=on; everything
 * later is local. */
#pragma once

#include "mpi/library.h"

struct Nodes {
  int ranks;   /* of MPI_COMM_WORLD; 0 if nodes are not known */
  int count;   /* nodes; 0 if they are not known */
  int *node;   /* of each rank, from 0 */
  char **path; /* the switches above each node, and the node (SLURM_TOPOLOGY_ADDR); or null */
};
extern struct Nodes nestbind_nodes;

/* Collective over MPI_COMM_WORLD. */
void nestbind_exchange_nodes(void);

/* Writes the rank in MPI_COMM_WORLD of each process of a group, or MPI_UNDEFINED. Returns 0 if
 * there is an error. */
int nestbind_world_ranks(MPI_Group group, int size, int *ranks);

/* Returns the node of each process of a communicator, for free(). Returns null if a node is not
 * known, for example because a process is not in MPI_COMM_WORLD. Communicates with nobody. */
int *nestbind_nodes_of(MPI_Comm comm, int size);
