/* SPDX-License-Identifier: BSD-3-Clause */
/* NESTBIND_TRAFFIC for MPICH's family: who sends how much to whom. Open MPI counts by itself. */
#pragma once

#include "mpi/library.h"

#pragma GCC visibility push(hidden)

/* Begins to count, after MPI_Init. The folder must exist. */
void nestbind_count_traffic(const char *folder);

/* Writes FOLDER/traffic.RANK.prof (nestbind-map(1)), before MPI_Finalize. */
void nestbind_write_traffic(void);

/* The processes with which a communicator's processes talk, as ranks in MPI_COMM_WORLD. A negative
 * number is none of them. An attribute of the communicator owns it. */
struct Peers {
  int count;
  const int *ranks;
  int neighbours; /* to which neighbourhood collectives send */
  const int *neighbour;
};

/* What a thread remembers of communicators. A communicator's number is used again after
 * MPI_Comm_free, so what is remembered is of one age: each free begins the next. */
enum { kRemembered = 8 };
extern unsigned nestbind_age;
extern __thread struct Remembered {
  MPI_Comm comm;
  unsigned age;
  const struct Peers *peers;
} nestbind_remembered[kRemembered];

/* Local. */
const struct Peers *nestbind_look_up_peers(MPI_Comm comm, struct Remembered *place)
    __attribute__((cold));

/* Never null. */
static inline const struct Peers *nestbind_find_peers(MPI_Comm comm) {
  struct Remembered *place = &nestbind_remembered[(unsigned)comm % kRemembered];
  return __builtin_expect(
             place->comm == comm && place->age == __atomic_load_n(&nestbind_age, __ATOMIC_RELAXED),
             1)
             ? place->peers
             : nestbind_look_up_peers(comm, place);
}

struct Counter {
  unsigned long bytes, messages;
};
extern struct Counter
    *nestbind_counters; /* for each rank of MPI_COMM_WORLD; null if nothing is counted */
extern int nestbind_counted_ranks;

static inline void nestbind_count(int rank, unsigned long bytes) {
  if ((unsigned)rank < (unsigned)nestbind_counted_ranks) {
    __atomic_fetch_add(&nestbind_counters[rank].bytes, bytes, __ATOMIC_RELAXED);
    __atomic_fetch_add(&nestbind_counters[rank].messages, 1UL, __ATOMIC_RELAXED);
  }
}

#pragma GCC visibility pop
