/* SPDX-License-Identifier: BSD-3-Clause */
/* How programs begin and end. usage: ends none|abort|signal|spawn|sessions|merge */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "child";
  if (strcmp(how, "none") == 0) {
    puts("no MPI");
    return 0;
  }
  if (strcmp(how, "sessions") == 0) {
#if MPI_VERSION >= 4
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm, grid;
    int ranks, zero = 0;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "test", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Comm_size(comm, &ranks);
    MPI_Cart_create(comm, 1, &ranks, &zero, 1, &grid);
    MPI_Comm_free(&grid);
    MPI_Comm_free(&comm);
    MPI_Group_free(&group);
    MPI_Session_finalize(&session);
#endif
    puts("done");
    return 0;
  }
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Barrier(MPI_COMM_WORLD);
  if (strcmp(how, "signal") == 0 && rank == 1) {
    raise(SIGKILL);
  } else if (strcmp(how, "abort") == 0 && rank == 1) {
    MPI_Abort(MPI_COMM_WORLD, 5);
  } else if (strcmp(how, "spawn") == 0 || strcmp(how, "child") == 0) {
    /* Parents and children together in a grid with reorder: their worlds differ. */
    MPI_Comm other, both, grid;
    MPI_Comm_get_parent(&other);
    const int is_child = other != MPI_COMM_NULL;
    if (!is_child) {
      int errors[2];
      MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other, errors);
    }
    MPI_Intercomm_merge(other, is_child, &both);
    int all, dims[2] = {0, 0}, periods[2] = {0, 0};
    MPI_Comm_size(both, &all);
    MPI_Dims_create(all, 2, dims);
    MPI_Cart_create(both, 2, dims, periods, 1, &grid);
    MPI_Barrier(grid);
    MPI_Comm_free(&grid);
    MPI_Comm_free(&both);
    MPI_Comm_disconnect(&other);
  }
  if (rank == 0) {
    puts("done");
  }
  MPI_Finalize();
  return 0;
}
