/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes zones in each step. A heavy place walks over the zones, and zones move between ranks.
 *
 *   mpicc -O2 balance_of_ranks.c $(pkg-config --cflags --libs nestbind) \
 *       -Wl,-rpath,$(pkg-config --variable=libdir nestbind) -o balance_of_ranks
 *   mpirun -n 4 ./balance_of_ranks
 */
#include <mpi.h>
#include <nestbind/mpi.h>
#include <stdio.h>

enum { kZones = 64, kSteps = 60, kPoints = 1000 };

static double zone[kZones][kPoints];
static int owner[kZones]; /* -1: another rank's */

static void compute(int z, int step) {
  const int is_heavy = z / 16 == step / 15; /* another sixteen zones after 15 steps */
  for (int again = 0; again < (is_heavy ? 200 : 50); ++again) {
    for (int i = 1; i + 1 < kPoints; ++i) {
      zone[z][i] = 0.5 * zone[z][i] + 0.25 * (zone[z][i - 1] + zone[z][i + 1]);
    }
  }
}

int main(int argc, char **argv) {
  struct nestbind_mpi_balancer *balancer;
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  balancer = nestbind_mpi_balancer(MPI_COMM_WORLD, NULL);
  for (int z = 0; z < kZones; ++z) {
    owner[z] = z * ranks / kZones == rank ? rank : -1;
    zone[z][0] = z;
  }
  for (int step = 0; step < kSteps; ++step) {
    const struct nestbind_balance_move *moves;
    struct nestbind_across_report report;
    MPI_Request requests[kZones];
    int count, sent = 0;
    for (int z = 0; z < kZones; ++z) {
      if (owner[z] == rank) {
        const double begin = MPI_Wtime();
        compute(z, step);
        nestbind_mpi_load(balancer, z, MPI_Wtime() - begin, sizeof zone[z]);
      }
    }
    count = nestbind_mpi_balance(balancer, kSteps - step - 1, &moves);
    for (int i = 0; i < count; ++i) {
      const int z = (int)moves[i].id;
      if (moves[i].from == rank) {
        MPI_Isend(zone[z], kPoints, MPI_DOUBLE, moves[i].to, z, MPI_COMM_WORLD, &requests[sent++]);
        owner[z] = -1;
      }
    }
    for (int i = 0; i < count; ++i) {
      const int z = (int)moves[i].id;
      if (moves[i].to == rank) {
        MPI_Recv(zone[z], kPoints, MPI_DOUBLE, moves[i].from, z, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        owner[z] = rank;
      }
    }
    for (int i = 0; i < sent; ++i) {
      MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    }
    nestbind_mpi_balance_report(balancer, &report);
    if (rank == 0 && report.moves > 0) {
      printf("step %d: %.0f zones moved; a step takes %.2f ms, and should take %.2f ms\n", step,
             report.moves, 1e3 * report.before, 1e3 * report.after);
    }
  }
  nestbind_mpi_balancer_free(balancer);
  MPI_Finalize();
  return 0;
}
