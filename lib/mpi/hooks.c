/* SPDX-License-Identifier: BSD-3-Clause */
/* All functions of MPI that we interpose, but those that only count messages (send_hooks.c). The
 * Fortran libraries of all families are separate libraries. They call the C functions by one of
 * both names. So the hooks of both names are the hooks for Fortran, too. A tool that has the first
 * name calls the second. */
#include "mpi/library.h"
#include "mpi/reorder.h"
#include "mpi/run.h"

#define NEXT NESTBIND_NEXT

int MPI_Init(int *argc, char ***argv) { return nestbind_begin(NEXT(MPI_Init)(argc, argv)); }
int PMPI_Init(int *argc, char ***argv) { return nestbind_begin(NEXT(PMPI_Init)(argc, argv)); }
int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  return nestbind_begin(NEXT(MPI_Init_thread)(argc, argv, required, provided));
}
int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  return nestbind_begin(NEXT(PMPI_Init_thread)(argc, argv, required, provided));
}
int MPI_Finalize(void) { return nestbind_end(), NEXT(MPI_Finalize)(); }
int PMPI_Finalize(void) { return nestbind_end(), NEXT(PMPI_Finalize)(); }

#define GRID MPI_Comm comm, int dims, const int lengths[], const int is_periodic[]
#define GRID_RANK comm, dims, lengths, is_periodic, rank
#define GRID_MADE comm, dims, lengths, is_periodic, reorder, made
#define GRAPH MPI_Comm comm, int ranks, const int ends[], const int others[]
#define GRAPH_RANK comm, ranks, ends, others, rank
#define GRAPH_MADE comm, ranks, ends, others, reorder, made
#define EDGES                                                                                   \
  MPI_Comm comm, int count, const int sources[], const int degrees[], const int destinations[], \
      const int weights[], MPI_Info info, int reorder
#define EDGES_MADE comm, count, sources, degrees, destinations, weights, info, reorder, made
#define NEIGHBOURS                                                             \
  MPI_Comm comm, int in, const int sources[], const int in_weights[], int out, \
      const int destinations[], const int out_weights[], MPI_Info info, int reorder
#define NEIGHBOURS_MADE \
  comm, in, sources, in_weights, out, destinations, out_weights, info, reorder, made

/* Both names of a function. Its parameters are the last ones. */
#define HOOK(name, ours, GIVEN, ...)                                    \
  int MPI_##name(__VA_ARGS__) { return ours(NEXT(MPI_##name), GIVEN); } \
  int PMPI_##name(__VA_ARGS__) { return ours(NEXT(PMPI_##name), GIVEN); }

HOOK(Cart_create, nestbind_cart_create, GRID_MADE, GRID, int reorder, MPI_Comm *made)
HOOK(Graph_create, nestbind_graph_create, GRAPH_MADE, GRAPH, int reorder, MPI_Comm *made)
HOOK(Dist_graph_create, nestbind_dist_graph_create, EDGES_MADE, EDGES, MPI_Comm *made)
HOOK(Dist_graph_create_adjacent, nestbind_dist_graph_create_adjacent, NEIGHBOURS_MADE, NEIGHBOURS,
     MPI_Comm *made)
HOOK(Cart_map, nestbind_cart_map, GRID_RANK, GRID, int *rank)
HOOK(Graph_map, nestbind_graph_map, GRAPH_RANK, GRAPH, int *rank)
