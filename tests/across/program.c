/* SPDX-License-Identifier: BSD-3-Clause */
/* Balances 64 objects of 0.01 s on all ranks. The first rank's objects take 0.04 s. The argument
 * names what is wrong. "near": each rank is a node, the ranks 0 and 3 and the ranks 1 and 2 have a
 * switch, and the objects of the ranks 0 and 2 take 0.04 s. Prints the result of each call that is
 * not 0, and at the end the objects of each rank. */
#include <math.h>
#include <mpi.h>
#include <nestbind/mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kObjects = 64, kSteps = 8, kFaulty = 5 };

static double bad_hops(int from, int to) { return from == 0 && to == 2 ? nan("") : 1; }

int main(int argc, char **argv) {
  static char line[BUFSIZ];
  const char *const wrong = argc > 1 ? argv[1] : "";
  struct nestbind_mpi_balance_options options = {0};
  struct nestbind_mpi_balancer *balancer;
  int rank, ranks, owner[kObjects], mine = 0, all, moved = 0;
  MPI_Init(&argc, &argv);
  setvbuf(stdout, line, _IOLBF, sizeof line); /* MPICH has made it unbuffered, so lines mix */
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  options.node = 1 + rank * 2 / ranks;
  options.slots = strcmp(wrong, "option") == 0 && rank == 1 ? -1 : 0;
  if (strcmp(wrong, "near") == 0 || strcmp(wrong, "hops") == 0) {
    options.node = 1 + rank;
    options.hops = strcmp(wrong, "hops") == 0 ? bad_hops : NULL;
    setenv("SLURM_TOPOLOGY_ADDR", rank == 0 || rank == 3 ? "core.a.n" : "core.b.n", 1);
  }
  balancer = nestbind_mpi_balancer(MPI_COMM_WORLD, strcmp(wrong, "node") == 0 ? NULL : &options);
  if (balancer == NULL) {
    printf("no balancer\n");
  }
  for (int i = 0; i < kObjects; ++i) {
    owner[i] = i * ranks / kObjects;
  }
  for (int step = 0; step < kSteps; ++step) {
    const struct nestbind_balance_move *moves;
    const int faulty = step == kFaulty && rank == ranks - 1;
    int result;
    for (int i = 0; i < kObjects; ++i) {
      const int is_mine = owner[i] == rank;
      /* Until the faulty step the loads are even: then the search finds a faulty id. */
      const int is_slow =
          i < kObjects / ranks || (strcmp(wrong, "near") == 0 && i * ranks / kObjects == 2);
      const double seconds = step >= kFaulty && is_slow ? 0.04 : 0.01;
      if (is_mine || (faulty && strcmp(wrong, "twice") == 0 && i == 0)) {
        nestbind_mpi_load(balancer, i, seconds, 100);
      }
    }
    if (faulty && strcmp(wrong, "negative") == 0) {
      printf("load %d\n", nestbind_mpi_load(balancer, 7, -1, 0));
    }
    if (faulty && strcmp(wrong, "nan") == 0) {
      printf("load %d\n", nestbind_mpi_load(balancer, 7, nan(""), 0));
    }
    if (strcmp(wrong, "unknown") == 0 && rank == ranks - 1) {
      nestbind_mpi_messages(balancer, kObjects - 1, 1000, 1);
    }
    if (strcmp(wrong, "region") == 0 && faulty) {
      printf("load %d\n", nestbind_mpi_load_of_region(balancer, kObjects - 1, 0));
    }
    result =
        nestbind_mpi_balance(balancer, faulty && strcmp(wrong, "steps") == 0 ? 1e5 : 1e6, &moves);
    if (result < 0) {
      printf("rank %d step %d: %d\n", rank, step, result);
    }
    for (int i = 0; i < result; ++i) {
      owner[moves[i].id] = moves[i].to;
      if (strcmp(wrong, "near") == 0 && moves[i].from == rank) {
        printf("from %d to %d\n", rank, moves[i].to);
      }
      ++moved;
    }
    MPI_Allreduce(MPI_IN_PLACE, &moved, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  }
  for (int i = 0; i < kObjects; ++i) {
    mine += owner[i] == rank;
  }
  MPI_Reduce(&mine, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("objects %d, first rank %d, moved %d\n", all, mine, moved > 0);
  }
  nestbind_mpi_balancer_free(balancer);
  MPI_Finalize();
  return 0;
}
