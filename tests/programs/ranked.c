// SPDX-License-Identifier: BSD-3-Clause
// A rank of a job, with nested teams. Writes a line for each member of the deepest teams into
// FILE-RANK, as "0.1 4,5" (path, processors).
//
//     ranked LEVELS FILE
//
// No rank forks before all ranks have started. With -DWITH_MPI, MPI ensures this. Otherwise a file
// FILE-here-RANK shows that a rank has started.
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef WITH_MPI
#include <mpi.h>
#else
#include <unistd.h>
#endif

enum { kMostLevels = 7, kText = 1 << 20 };

static int levels;
static int threads;
static char text[kText];
static size_t length;

static void tell(void) {
  cpu_set_t mask;
  sched_getaffinity(0, sizeof mask, &mask);
#pragma omp critical
  {
    ++threads;
    for (int level = 1; level <= levels; ++level) {
      length += (size_t)snprintf(text + length, sizeof text - length, "%s%d", level > 1 ? "." : "",
                                 omp_get_ancestor_thread_num(level));
    }
    const char* separator = " ";
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &mask)) {
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%d", separator, cpu);
        separator = ",";
      }
    }
    length += (size_t)snprintf(text + length, sizeof text - length, "\n");
  }
}

static void fork_at(int level) {
#pragma omp parallel
  {
    if (level == levels) {
      tell();
    } else {
      fork_at(level + 1);
    }
#pragma omp barrier
  }
}

#ifdef WITH_MPI
static int rank_of(void) {
  int rank = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}
#else
static int number_of(const char* const names[], int other) {
  for (int i = 0; names[i] != NULL; ++i) {
    if (getenv(names[i]) != NULL) {
      return atoi(getenv(names[i]));
    }
  }
  return other;
}

static int rank_of(void) {
  const char* const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID", NULL};
  return number_of(names, 0);
}

static void wait_for_all(const char* where) {
  enum { kMostWaits = 6000, kWait = 10000 };
  const char* const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS", NULL};
  const int ranks = number_of(names, 1);
  char name[4096];
  snprintf(name, sizeof name, "%s-here-%d", where, rank_of());
  FILE* file = fopen(name, "w");
  if (file == NULL || fclose(file) != 0) {
    return;
  }
  int waits = 0;
  for (int rank = 0; rank < ranks && waits < kMostWaits;) {
    snprintf(name, sizeof name, "%s-here-%d", where, rank);
    if (access(name, F_OK) == 0) {
      ++rank;
    } else {
      usleep(kWait);
      ++waits;
    }
  }
}
#endif

int main(int argc, char** argv) {
  if (argc != 3 || (levels = atoi(argv[1])) < 1 || levels > kMostLevels) {
    return 2;
  }
#ifdef WITH_MPI
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Barrier(MPI_COMM_WORLD);
#else
  wait_for_all(argv[2]);
#endif
  fork_at(1);
  int failed = 0;
#ifdef WITH_MPI
  int all = 0;
  MPI_Allreduce(&threads, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  failed = all != size * threads;
#endif
  char name[4096];
  snprintf(name, sizeof name, "%s-%d", argv[2], rank_of());
  FILE* file = fopen(name, "w");
  failed = failed || file == NULL || fwrite(text, 1, length, file) != length || fclose(file) != 0;
#ifdef WITH_MPI
  MPI_Finalize();
#endif
  return failed ? 1 : 0;
}
