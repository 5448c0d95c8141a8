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
#define GRID_GIVEN comm, dims, lengths, is_periodic
#define GRAPH MPI_Comm comm, int ranks, const int ends[], const int others[]
#define GRAPH_GIVEN comm, ranks, ends, others
#define EDGES                                                                                   \
  MPI_Comm comm, int count, const int sources[], const int degrees[], const int destinations[], \
      const int weights[], MPI_Info info, int reorder
#define EDGES_GIVEN comm, count, sources, degrees, destinations, weights, info, reorder
#define NEIGHBOURS                                                             \
  MPI_Comm comm, int in, const int sources[], const int in_weights[], int out, \
      const int destinations[], const int out_weights[], MPI_Info info, int reorder
#define NEIGHBOURS_GIVEN \
  comm, in, sources, in_weights, out, destinations, out_weights, info, reorder

int MPI_Cart_create(GRID, int reorder, MPI_Comm *made) {
  return nestbind_cart_create(NEXT(MPI_Cart_create), GRID_GIVEN, reorder, made);
}
int PMPI_Cart_create(GRID, int reorder, MPI_Comm *made) {
  return nestbind_cart_create(NEXT(PMPI_Cart_create), GRID_GIVEN, reorder, made);
}
int MPI_Graph_create(GRAPH, int reorder, MPI_Comm *made) {
  return nestbind_graph_create(NEXT(MPI_Graph_create), GRAPH_GIVEN, reorder, made);
}
int PMPI_Graph_create(GRAPH, int reorder, MPI_Comm *made) {
  return nestbind_graph_create(NEXT(PMPI_Graph_create), GRAPH_GIVEN, reorder, made);
}
int MPI_Dist_graph_create(EDGES, MPI_Comm *made) {
  return nestbind_dist_graph_create(NEXT(MPI_Dist_graph_create), EDGES_GIVEN, made);
}
int PMPI_Dist_graph_create(EDGES, MPI_Comm *made) {
  return nestbind_dist_graph_create(NEXT(PMPI_Dist_graph_create), EDGES_GIVEN, made);
}
int MPI_Dist_graph_create_adjacent(NEIGHBOURS, MPI_Comm *made) {
  return nestbind_dist_graph_create_adjacent(NEXT(MPI_Dist_graph_create_adjacent), NEIGHBOURS_GIVEN,
                                             made);
}
int PMPI_Dist_graph_create_adjacent(NEIGHBOURS, MPI_Comm *made) {
  return nestbind_dist_graph_create_adjacent(NEXT(PMPI_Dist_graph_create_adjacent),
                                             NEIGHBOURS_GIVEN, made);
}
int MPI_Cart_map(GRID, int *rank) {
  return nestbind_cart_map(NEXT(MPI_Cart_map), GRID_GIVEN, rank);
}
int PMPI_Cart_map(GRID, int *rank) {
  return nestbind_cart_map(NEXT(PMPI_Cart_map), GRID_GIVEN, rank);
}
int MPI_Graph_map(GRAPH, int *rank) {
  return nestbind_graph_map(NEXT(MPI_Graph_map), GRAPH_GIVEN, rank);
}
int PMPI_Graph_map(GRAPH, int *rank) {
  return nestbind_graph_map(NEXT(PMPI_Graph_map), GRAPH_GIVEN, rank);
}
