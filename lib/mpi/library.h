/* SPDX-License-Identifier: BSD-3-Clause */
/* The program's MPI library. We do not link it, because a process may never load it, or load it
 * later. */
#pragma once

/* MPICH's header does not export our definitions of its functions. */
#pragma GCC visibility push(default)
#include <mpi.h>
#pragma GCC visibility pop

/* The functions that we call ourselves, by their profiling names, so that tools do not see these
 * calls. */
/* clang-format off */
#define NESTBIND_CALLS(CALL) \
  CALL(Allgather) CALL(Bcast) CALL(Cart_get) CALL(Cart_shift) CALL(Cartdim_get) \
  CALL(Comm_create) CALL(Comm_create_keyval) CALL(Comm_free) CALL(Comm_get_attr) \
  CALL(Comm_get_errhandler) CALL(Comm_get_parent) CALL(Comm_group) CALL(Comm_rank) CALL(Comm_remote_group) \
  CALL(Comm_set_attr) CALL(Comm_set_errhandler) CALL(Comm_size) CALL(Comm_split_type) \
  CALL(Comm_test_inter) CALL(Dist_graph_neighbors) CALL(Dist_graph_neighbors_count) \
  CALL(Errhandler_free) CALL(Gather) CALL(Gatherv) CALL(Graph_neighbors) \
  CALL(Graph_neighbors_count) CALL(Group_free) CALL(Group_incl) CALL(Group_size) \
  CALL(Group_translate_ranks) CALL(Sendrecv) CALL(Topo_test) CALL(Type_size)
/* clang-format on */

#define NESTBIND_MEMBER(name) __typeof__(&PMPI_##name) name;
struct Library {
  NESTBIND_CALLS(NESTBIND_MEMBER)
  MPI_Comm world;
  MPI_Datatype integer, character; /* MPI_INT, MPI_CHAR */
  MPI_Info no_info;
  const int *unweighted, *weights_empty;
};
#undef NESTBIND_MEMBER

/* Valid after nestbind_find_library() has returned 1. */
extern struct Library nestbind_library;

/* Returns 0 if the process has no MPI library of this family. */
int nestbind_find_library(void);

/* Returns the function that the program would call without us: a tool's, or the library's. If there
 * is none, returns a function that returns MPI_ERR_INTERN. */
void *nestbind_next(const char *name);
#define NESTBIND_NEXT(name) ((__typeof__(&name))nestbind_next(#name))

/* Writes a line to the standard error output, unless NESTBIND_QUIET=1. */
void nestbind_tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
