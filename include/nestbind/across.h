/* SPDX-License-Identifier: BSD-3-Clause */
/* nestbind: balances objects between the ranks and nodes of a job, without MPI.
 *
 * Programs use nestbind/mpi.h, or nestbind.mpi in Python. These use the functions below, and make
 * the exchanges between ranks. nestbind-balance(3) has the details. */
#ifndef NESTBIND_ACROSS_H
#define NESTBIND_ACROSS_H

#include <nestbind/nestbind.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The balancer of one rank. A rank's functions must not be called by two threads at once. */
struct nestbind_across;

/* A move of an object from a rank to a rank. If both are the same, only the slot changes. */
struct nestbind_balance_move {
  long long id;
  int from;
  int to;
  int slot; /* in the rank `to`, from 0 on; 0 if the ranks have no slots */
};

/* All ranks must have the same `node`. `tolerance` and `every` count in rank 0. The balancer keeps
 * a copy of all but the object `comm`. */
struct nestbind_across_setup {
  int rank;        /* from 0 on */
  int ranks;       /* 1 or more */
  const int *node; /* of each rank: the same number for the ranks of a node */
  int threads;     /* threads of this rank that compute; 0: the largest team that
                      nestbind_across_load_of_region has seen, or 1 */
  int slots; /* 0: all threads of the rank compute an object together. Otherwise each object is on
                one of `slots` slots of the rank; the i-th new object begins on slot i % slots */
  double message_seconds; /* the cost of a message for each hop; 0: 5 % of all loads, divided by all
                             messages */
  double tolerance;       /* nothing moves for a smaller gain, as a fraction; 0: 0.02 */
  int every;              /* look at the loads in every `every`-th call; 0: in each */

  /* How ranks exchange data. All ranks call the same functions in the same order. The first
   * argument is `comm`. The result is 0, or anything else if the exchange has failed: then the call
   * ends in this rank. */
  void *comm;
  double (*now)(void *comm); /* a time in seconds */
  /* Two reductions over all ranks: `maxima`, and `sums`. The results replace the numbers. */
  int (*reduce)(void *comm, double *maxima, int maxima_count, double *sums, int sums_count);
  int (*counts)(void *comm, const int *send, int *receive); /* one int to each rank: MPI_Alltoall */
  int (*data)(void *comm, const void *send, const int *send_counts, const int *send_offsets,
              void *receive, const int *receive_counts,
              const int *receive_offsets); /* bytes to each rank: MPI_Alltoallv */
  /* The hops between the nodes of two ranks, from 0 to 1e15. Called by nestbind_across_create for
   * the lowest ranks of different nodes, on rank 0. Null: one hop between all nodes. */
  double (*hops)(void *comm, int from, int to);
};

/* What came of the last call; the same in all ranks. Times are seconds of a step. */
struct nestbind_across_report {
  double before; /* of the slowest rank */
  double after;  /* predicted */
  double mean;   /* of all threads */
  double moves;  /* of all ranks */
  double bytes;
  double seconds_per_byte; /* the price of a move, as measured so far */
  double seconds;          /* that the call took in this rank */
};

/* Makes a balancer. Returns NESTBIND_OK; NESTBIND_BAD_ARGUMENT, with a message if a number of hops
 * is wrong; NESTBIND_NO_MEMORY. */
int nestbind_across_create(const struct nestbind_across_setup *setup,
                           struct nestbind_across **balancer);
void nestbind_across_free(struct nestbind_across *balancer);

/* Adds to the load of an object in this step: the seconds that its threads computed. `bytes` is
 * what a move of the object would send. Returns NESTBIND_OK, or NESTBIND_BAD_ARGUMENT with a
 * message. */
int nestbind_across_load(struct nestbind_across *balancer, long long id, double seconds,
                         double bytes);

/* The same, with the CPU time of all threads in loops that nestbind has shared since the last call
 * of this function (NESTBIND_SCHEDULE). Call it after the loop, outside parallel regions. If there
 * was no such loop, the load is 0, and the result NESTBIND_BAD_SCHEDULE. */
int nestbind_across_load_of_region(struct nestbind_across *balancer, long long id, double bytes);

/* The object `id` of this rank exchanges `count` messages with object `other`, in this step. */
int nestbind_across_messages(struct nestbind_across *balancer, long long id, long long other,
                             double count);

/* A call of all ranks, behind the loads of a step. `remaining_steps` must be the same in all ranks.
 * Returns the number of moves from or to this rank, and the moves by id, which are valid until the
 * next call; or the negative number of an error, the same in all ranks. A message of the rank with
 * the fault names the id. NESTBIND_BAD_ARGUMENT: a load is negative or not a number; two ranks have
 * an object; no rank has an object that exchanges messages; the ranks are in different steps; an
 * exchange has failed. NESTBIND_NO_MEMORY. */
int nestbind_across_balance(struct nestbind_across *balancer, double remaining_steps,
                            const struct nestbind_balance_move **moves);

void nestbind_across_get_report(const struct nestbind_across *balancer,
                                struct nestbind_across_report *report);

#ifdef __cplusplus
}
#endif
#endif
