/* SPDX-License-Identifier: BSD-3-Clause */
/* NESTBIND_TRAFFIC for MPICH's family: who sends how much to whom. Open MPI counts by itself. */
#pragma once

#include "mpi/library.h"

/* Begins to count, after MPI_Init. The folder must exist. */
void nestbind_count_traffic(const char *folder);

/* Writes FOLDER/rank-RANK.traffic (nestbind-map(1)), before MPI_Finalize. */
void nestbind_write_traffic(void);

/* The processes with which a communicator's processes talk, as ranks in MPI_COMM_WORLD. A negative number is none of them. An
 * attribute of the communicator owns it. */
struct Peers {
  int count;
  const int *ranks;
  int neighbours; /* to which neighbourhood collectives send */
  const int *neighbour;
};
/* Never null. Local. */
const struct Peers *nestbind_find_peers(MPI_Comm comm);

struct Counter {
  unsigned long bytes, messages;
};
extern struct Counter *nestbind_counters; /* for each rank of MPI_COMM_WORLD; null if nothing is counted */
extern int nestbind_counted_ranks;

static inline void nestbind_count(int rank, unsigned long bytes) {
  if ((unsigned)rank < (unsigned)nestbind_counted_ranks) {
    __atomic_fetch_add(&nestbind_counters[rank].bytes, bytes, __ATOMIC_RELAXED);
    __atomic_fetch_add(&nestbind_counters[rank].messages, 1UL, __ATOMIC_RELAXED);
  }
}
