/* SPDX-License-Identifier: BSD-3-Clause */
/* What NESTBIND_REORDER=on does in the functions that make topologies. Each function calls `next`
 * exactly as MPI was called if nothing is to be reordered. Only the functions that create a
 * communicator communicate, and only over `comm`. */
#pragma once

#include "mpi/library.h"

int nestbind_cart_create(__typeof__(&MPI_Cart_create) next, MPI_Comm comm, int dims,
                         const int lengths[], const int is_periodic[], int reorder, MPI_Comm *made);
int nestbind_graph_create(__typeof__(&MPI_Graph_create) next, MPI_Comm comm, int ranks,
                          const int ends[], const int others[], int reorder, MPI_Comm *made);
int nestbind_dist_graph_create(__typeof__(&MPI_Dist_graph_create) next, MPI_Comm comm, int count,
                               const int sources[], const int degrees[], const int destinations[],
                               const int weights[], MPI_Info info, int reorder, MPI_Comm *made);
int nestbind_dist_graph_create_adjacent(__typeof__(&MPI_Dist_graph_create_adjacent) next,
                                        MPI_Comm comm, int in, const int sources[],
                                        const int in_weights[], int out, const int destinations[],
                                        const int out_weights[], MPI_Info info, int reorder,
                                        MPI_Comm *made);
int nestbind_cart_map(__typeof__(&MPI_Cart_map) next, MPI_Comm comm, int dims, const int lengths[],
                      const int is_periodic[], int *rank);
int nestbind_graph_map(__typeof__(&MPI_Graph_map) next, MPI_Comm comm, int ranks, const int ends[],
                       const int others[], int *rank);
