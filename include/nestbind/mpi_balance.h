/* SPDX-License-Identifier: BSD-3-Clause */
/* nestbind: moves objects between the ranks of an MPI program. Only this header knows MPI: it is
 * compiled with the program. Link as `pkg-config --libs nestbind` says: without these options the
 * linker may drop the library. Or compile with -fPIE, and preload the library.
 * Include nestbind/mpi.h: it includes this header behind what this header needs.
 *
 *   struct nestbind_mpi_balancer *b = nestbind_mpi_balancer(comm, NULL);
 *   for (step...) {
 *     for each of my objects: nestbind_mpi_load(b, id, seconds, bytes_to_move);
 *     n = nestbind_mpi_balance(b, remaining_steps, &moves);
 *     for (i = 0; i < n; ++i) moves[i] is an object to send (from is my rank) or to receive
 *   }
 *
 * nestbind-balance(3) has the details. */
#ifndef NESTBIND_MPI_BALANCE_H
#define NESTBIND_MPI_BALANCE_H

#include <mpi.h>
#include <nestbind/across.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* If the library is not there, these functions are null. */
#pragma weak nestbind_across_create
#pragma weak nestbind_across_free
#pragma weak nestbind_across_load
#pragma weak nestbind_across_load_of_region
#pragma weak nestbind_across_messages
#pragma weak nestbind_across_balance
#pragma weak nestbind_across_get_report

#ifdef __cplusplus
extern "C" {
#endif

/* For the Fortran module, the functions are in an object file (nestbind_mpi_balance.f90). */
#ifdef NESTBIND_MPI_FORTRAN
#define NESTBIND_MPI_INLINE
#else
#define NESTBIND_MPI_INLINE static inline
#endif

/* Zero or null: the default (nestbind/across.h). */
struct nestbind_mpi_balance_options {
  int threads;
  int slots;
  double message_seconds;
  double tolerance;
  int every;
  int node; /* ranks with the same number above 0 are a node; 0: ranks that share memory */
  double (*hops)(int from, int to); /* between the nodes of two ranks, 0 to 1e15; only on rank 0.
                                       Null: nestbind_mpi_hops() */
};

struct nestbind_mpi_balancer {
  struct nestbind_across *across; /* null without the library */
  MPI_Comm comm;
  double (*hops)(int from, int to);
};

static inline double nestbind_mpi_now_(void *of) {
  (void)of;
  return MPI_Wtime();
}

/* Both reductions are under way at the same time. */
static inline int nestbind_mpi_reduce_(void *of, double *maxima, int maxima_count, double *sums,
                                       int sums_count) {
  const MPI_Comm comm = ((struct nestbind_mpi_balancer *)of)->comm;
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  int failed =
      MPI_Iallreduce(MPI_IN_PLACE, maxima, maxima_count, MPI_DOUBLE, MPI_MAX, comm, &requests[0]);
  failed |= MPI_Iallreduce(MPI_IN_PLACE, sums, sums_count, MPI_DOUBLE, MPI_SUM, comm, &requests[1]);
  failed |= MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  return failed | MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
}

static inline int nestbind_mpi_counts_(void *of, const int *send, int *receive) {
  return MPI_Alltoall((void *)send, 1, MPI_INT, receive, 1, MPI_INT,
                      ((struct nestbind_mpi_balancer *)of)->comm);
}

static inline int nestbind_mpi_data_(void *of, const void *send, const int *send_counts,
                                     const int *send_offsets, void *receive,
                                     const int *receive_counts, const int *receive_offsets) {
  return MPI_Alltoallv((void *)send, (int *)send_counts, (int *)send_offsets, MPI_BYTE, receive,
                       (int *)receive_counts, (int *)receive_offsets, MPI_BYTE,
                       ((struct nestbind_mpi_balancer *)of)->comm);
}

static inline double nestbind_mpi_hops_(void *of, int from, int to) {
  const struct nestbind_mpi_balancer *const balancer = (struct nestbind_mpi_balancer *)of;
  const int hops = balancer->hops != NULL ? 0 : nestbind_mpi_hops(balancer->comm, from, to);
  /* Nodes of the program that share memory are one hop apart. */
  return balancer->hops != NULL ? balancer->hops(from, to) : hops > 0 ? hops : 1;
}

/* Collective. The argument may be null. */
NESTBIND_MPI_INLINE void nestbind_mpi_balancer_free(struct nestbind_mpi_balancer *balancer) {
  if (balancer != NULL) {
    if (balancer->across != NULL) {
      nestbind_across_free(balancer->across);
    }
    MPI_Comm_free(&balancer->comm);
    free(balancer);
  }
}

/* Collective. `options` may be null. Returns null if there is no memory or an option is wrong. */
NESTBIND_MPI_INLINE struct nestbind_mpi_balancer *nestbind_mpi_balancer(
    MPI_Comm comm, const struct nestbind_mpi_balance_options *options) {
  const struct nestbind_mpi_balance_options usual = {0, 0, 0, 0, 0, 0, NULL};
  const struct nestbind_mpi_ranks *known;
  struct nestbind_mpi_balancer *made;
  struct nestbind_across_setup setup;
  int *node, own, is_good, all_are_good, have[2], all_have[2];
  MPI_Comm near;
  options = options == NULL ? &usual : options;
  memset(&setup, 0, sizeof(setup));
  MPI_Comm_rank(comm, &setup.rank);
  MPI_Comm_size(comm, &setup.ranks);
  made = (struct nestbind_mpi_balancer *)calloc(1, sizeof(*made));
  node = (int *)malloc((size_t)setup.ranks * sizeof(*node));
  have[0] = made != NULL && node != NULL;
  have[1] = nestbind_across_create != NULL;
  MPI_Allreduce(have, all_have, 2, MPI_INT, MPI_MIN, comm);
  is_good = all_are_good = all_have[0];
  if (all_are_good) {
    MPI_Comm_dup(comm, &made->comm);
    own = -setup.rank;
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, setup.rank, MPI_INFO_NULL, &near);
    MPI_Bcast(&own, 1, MPI_INT, 0, near);
    MPI_Comm_free(&near);
    own = options->node > 0 ? options->node : own;
    MPI_Allgather(&own, 1, MPI_INT, node, 1, MPI_INT, comm);
    known = nestbind_mpi_find(made->comm);
    made->hops = options->hops;
    setup.node = node;
    setup.threads = options->threads;
    setup.slots = options->slots;
    setup.message_seconds = options->message_seconds;
    setup.tolerance = options->tolerance;
    setup.every = options->every;
    setup.comm = made;
    setup.now = nestbind_mpi_now_;
    setup.reduce = nestbind_mpi_reduce_;
    setup.counts = nestbind_mpi_counts_;
    setup.data = nestbind_mpi_data_;
    setup.hops =
        made->hops != NULL || (known != NULL && known->switches > 0) ? nestbind_mpi_hops_ : NULL;
    if (all_have[1]) {
      is_good = nestbind_across_create(&setup, &made->across) == NESTBIND_OK;
    } else if (setup.rank == 0) {
      fprintf(stderr,
              "nestbind: libnestbind is not in all ranks, so no object moves: start it by mpirun "
              "nestbind run -- ./program, or link it as pkg-config --libs nestbind says\n");
    }
    MPI_Allreduce(&is_good, &all_are_good, 1, MPI_INT, MPI_MIN, comm);
    if (!all_are_good) {
      nestbind_mpi_balancer_free(made);
    }
  } else {
    free(made);
  }
  free(node);
  return all_are_good ? made : NULL;
}

/* The functions below return -NESTBIND_NO_MODULE without the library, or if the balancer is null.
 * Those that give loads and messages return 0, or the negative number of an error. */

static inline struct nestbind_across *nestbind_mpi_across_(
    const struct nestbind_mpi_balancer *balancer) {
  return balancer == NULL ? NULL : balancer->across;
}

NESTBIND_MPI_INLINE int nestbind_mpi_load(struct nestbind_mpi_balancer *balancer, long long id,
                                          double seconds, double bytes) {
  struct nestbind_across *const across = nestbind_mpi_across_(balancer);
  return across == NULL ? -NESTBIND_NO_MODULE : -nestbind_across_load(across, id, seconds, bytes);
}

NESTBIND_MPI_INLINE int nestbind_mpi_load_of_region(struct nestbind_mpi_balancer *balancer,
                                                    long long id, double bytes) {
  struct nestbind_across *const across = nestbind_mpi_across_(balancer);
  return across == NULL ? -NESTBIND_NO_MODULE : -nestbind_across_load_of_region(across, id, bytes);
}

NESTBIND_MPI_INLINE int nestbind_mpi_messages(struct nestbind_mpi_balancer *balancer, long long id,
                                              long long other, double count) {
  struct nestbind_across *const across = nestbind_mpi_across_(balancer);
  return across == NULL ? -NESTBIND_NO_MODULE : -nestbind_across_messages(across, id, other, count);
}

/* Collective. Returns the number of moves from or to the calling rank, or the negative number of an
 * error. `moves` are sorted by id, and valid until the next call. 0: there is nothing to do. */
NESTBIND_MPI_INLINE int nestbind_mpi_balance(struct nestbind_mpi_balancer *balancer,
                                             double remaining_steps,
                                             const struct nestbind_balance_move **moves) {
  struct nestbind_across *const across = nestbind_mpi_across_(balancer);
  *moves = NULL;
  return across == NULL ? -NESTBIND_NO_MODULE
                        : nestbind_across_balance(across, remaining_steps, moves);
}

/* What came of the last call; the same in all ranks. */
NESTBIND_MPI_INLINE int nestbind_mpi_balance_report(const struct nestbind_mpi_balancer *balancer,
                                                    struct nestbind_across_report *report) {
  memset(report, 0, sizeof(*report));
  if (nestbind_mpi_across_(balancer) == NULL) {
    return -NESTBIND_NO_MODULE;
  }
  nestbind_across_get_report(balancer->across, report);
  return 0;
}

#ifdef NESTBIND_MPI_FORTRAN
struct nestbind_mpi_balancer *nestbind_mpi_balancer_f(
    MPI_Fint comm, const struct nestbind_mpi_balance_options *options) {
  return nestbind_mpi_balancer(MPI_Comm_f2c(comm), options);
}
#endif

#ifdef __cplusplus
}
#endif
#endif
