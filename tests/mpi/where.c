/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks nestbind/mpi.h. Ranks are on nodes of `argv[1]`, in order, and two nodes have one switch if
 * `argv[2]` is "switches". Compiled as C and as C++. where_other.c is a second file with the
 * header. */
#include <nestbind/mpi.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C"
#endif
    int
    other_file_hops(MPI_Comm comm, int a, int b);

static int g_rank, g_faults;

static void check(int is_good, const char *what) {
  if (!is_good) {
    ++g_faults;
    printf("fault: rank %d: %s\n", g_rank, what);
  }
}

int main(int argc, char **argv) {
  int ranks, coordinates[16], again[2], dims;
  const int per_node = atoi(argv[1]), has_switches = argc > 2 && strcmp(argv[2], "switches") == 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &g_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  dims = nestbind_mpi_coordinates(MPI_COMM_WORLD, g_rank, coordinates, 16);
  check(dims == 5 + 2 * has_switches, "number of coordinates"); /* the root, the switch */
  check(nestbind_mpi_coordinates(MPI_COMM_WORLD, g_rank, NULL, 0) == dims, "no room");
  check(nestbind_mpi_coordinates(MPI_COMM_WORLD, g_rank, again, 2) == dims &&
            again[1] == coordinates[1],
        "little room");
  check(nestbind_mpi_coordinates(MPI_COMM_WORLD, ranks, coordinates, 16) == -1, "no such rank");
  check(nestbind_mpi_hops(MPI_COMM_WORLD, 0, -1) == -1, "no such rank");
  nestbind_mpi_coordinates(MPI_COMM_WORLD, g_rank, coordinates, 16);
  check(nestbind_mpi_rank(MPI_COMM_WORLD, coordinates) == g_rank, "the rank of the coordinates");
  const int node = g_rank / per_node;
  check(coordinates[2 * has_switches] == (has_switches ? node % 2 : node), "the node's number");
  if (g_rank == 0) { /* alone: nothing communicates */
    int *all = (int *)malloc(sizeof *all * (size_t)ranks);
    for (int i = 0; i < ranks; ++i) {
      const int other = i / per_node;
      const int wanted = other == 0 ? 0 : has_switches && other / 2 != 0 ? 2 : 1;
      check(nestbind_mpi_hops(MPI_COMM_WORLD, 0, i) == wanted &&
                nestbind_mpi_hops(MPI_COMM_WORLD, i, 0) == wanted,
            "hops");
      check(other_file_hops(MPI_COMM_WORLD, 0, i) == wanted, "hops in another file");
      all[i] = ranks - 1 - i;
    }
    check(nestbind_mpi_sort(MPI_COMM_WORLD, 0, all, ranks) == 0 && all[0] == 0,
          "the root is the first");
    for (int i = 1; i < ranks; ++i) {
      check(nestbind_mpi_hops(MPI_COMM_WORLD, 0, all[i - 1]) <=
                nestbind_mpi_hops(MPI_COMM_WORLD, 0, all[i]),
            "sorted by hops");
    }
    all[0] = ranks;
    check(nestbind_mpi_sort(MPI_COMM_WORLD, 0, all, ranks) == -1 && all[0] == ranks,
          "a bad rank changes nothing");
    free(all);
  }
  MPI_Comm reversed;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -g_rank, &reversed);
  const int own = ranks - 1 - g_rank;
  check(nestbind_mpi_hops(reversed, own, ranks - 1) == nestbind_mpi_hops(MPI_COMM_WORLD, g_rank, 0),
        "another communicator");
  MPI_Comm_free(&reversed);
  printf("rank %d is %d\n", g_rank, coordinates[0]);
  MPI_Finalize();
  return g_faults > 0;
}
