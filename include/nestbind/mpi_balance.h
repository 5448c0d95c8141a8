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
#pragma weak nestbind_across_begin
#pragma weak nestbind_across_next
#pragma weak nestbind_across_moves
#pragma weak nestbind_across_get_report

#ifdef __cplusplus
extern "C" {
#endif

/* Zero or null: the default (nestbind/across.h). */
struct nestbind_mpi_balance_options {
  int threads;
  int slots;
  const double *hops; /* copied; only on rank 0; nodes are in the order of their lowest ranks. Null:
                         the hops of nestbind_mpi_hops() */
  double message_seconds;
  double tolerance;
  int every;
  int node; /* ranks with the same number above 0 are a node; 0: ranks that share memory */
};

struct nestbind_mpi_balancer {
  struct nestbind_across *across; /* null without the library */
  MPI_Comm group[3];              /* all ranks, the node, the leaders */
  MPI_Datatype numbers;
  MPI_Op reduce;
  double *hops;
};

static void nestbind_mpi_reduce_(void *in, void *inout, int *count, MPI_Datatype *type) {
  const double *const from = (const double *)in;
  double *const to = (double *)inout;
  int i;
  (void)type;
  for (i = 0; i < *count * NESTBIND_ACROSS_NUMBERS; ++i) {
    if (i % NESTBIND_ACROSS_NUMBERS >= NESTBIND_ACROSS_MAXIMA) {
      to[i] += from[i];
    } else if (from[i] > to[i]) {
      to[i] = from[i];
    }
  }
}

/* Collective among the first ranks of nodes. Returns the hops between nodes on rank 0. Null: one
 * hop between all nodes. */
static inline double *nestbind_mpi_hops_of_nodes_(MPI_Comm leaders, const double *given) {
  const struct nestbind_mpi_ranks *const known = nestbind_mpi_find(leaders);
  int rank, a, b;
  double *hops = NULL, *next;
  MPI_Comm_rank(leaders, &rank);
  if (rank == 0 && known != NULL && (given != NULL || known->switches > 0)) {
    hops = (double *)malloc((size_t)known->count * (size_t)known->count * sizeof(double));
  }
  for (a = 0, next = hops; hops != NULL && a < known->count; ++a) {
    for (b = 0; b < known->count; ++b, ++next) {
      const int found = nestbind_mpi_hops(leaders, a, b);
      /* Nodes of the program that share memory are one hop apart. */
      *next = given != NULL ? *given++ : a == b || found > 0 ? found : 1;
    }
  }
  return hops;
}

/* Collective. The argument may be null. */
static inline void nestbind_mpi_balancer_free(struct nestbind_mpi_balancer *balancer) {
  int i;
  if (balancer == NULL) {
    return;
  }
  if (balancer->across != NULL) {
    nestbind_across_free(balancer->across);
  }
  for (i = 0; i < 3; ++i) {
    if (balancer->group[i] != MPI_COMM_NULL) {
      MPI_Comm_free(&balancer->group[i]);
    }
  }
  MPI_Type_free(&balancer->numbers);
  MPI_Op_free(&balancer->reduce);
  free(balancer->hops);
  free(balancer);
}

/* Collective. `options` may be null. Returns null if there is no memory or an option is wrong. */
static inline struct nestbind_mpi_balancer *nestbind_mpi_balancer(
    MPI_Comm comm, const struct nestbind_mpi_balance_options *options) {
  struct nestbind_mpi_balance_options usual;
  struct nestbind_mpi_balancer *made;
  struct nestbind_across_setup setup;
  MPI_Comm *group;
  int local, node = 0, *node_of, is_good, all_are_good;
  memset(&usual, 0, sizeof(usual));
  memset(&setup, 0, sizeof(setup));
  options = options == NULL ? &usual : options;
  MPI_Comm_rank(comm, &setup.rank);
  MPI_Comm_size(comm, &setup.ranks);
  made = (struct nestbind_mpi_balancer *)calloc(
      1, sizeof(*made) + (size_t)setup.ranks * sizeof(*node_of));
  is_good = made != NULL;
  MPI_Allreduce(&is_good, &all_are_good, 1, MPI_INT, MPI_MIN, comm);
  if (!all_are_good) {
    free(made);
    return NULL;
  }
  node_of = (int *)(made + 1);
  group = made->group;
  MPI_Comm_dup(comm, &group[NESTBIND_ACROSS_ALL]);
  comm = group[NESTBIND_ACROSS_ALL];
  if (options->node > 0) {
    MPI_Comm_split(comm, options->node, setup.rank, &group[NESTBIND_ACROSS_NODE]);
  } else {
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, setup.rank, MPI_INFO_NULL,
                        &group[NESTBIND_ACROSS_NODE]);
  }
  MPI_Comm_rank(group[NESTBIND_ACROSS_NODE], &local);
  MPI_Comm_split(comm, local == 0 ? 0 : MPI_UNDEFINED, setup.rank, &group[NESTBIND_ACROSS_LEADERS]);
  if (local == 0) {
    MPI_Comm_rank(group[NESTBIND_ACROSS_LEADERS], &node);
    made->hops = nestbind_mpi_hops_of_nodes_(group[NESTBIND_ACROSS_LEADERS], options->hops);
  }
  MPI_Bcast(&node, 1, MPI_INT, 0, group[NESTBIND_ACROSS_NODE]);
  MPI_Allgather(&node, 1, MPI_INT, node_of, 1, MPI_INT, comm);
  MPI_Type_contiguous(NESTBIND_ACROSS_NUMBERS, MPI_DOUBLE, &made->numbers);
  MPI_Type_commit(&made->numbers);
  MPI_Op_create(nestbind_mpi_reduce_, 1, &made->reduce);
  setup.node = node_of;
  setup.threads = options->threads;
  setup.slots = options->slots;
  setup.hops = made->hops;
  setup.message_seconds = options->message_seconds;
  setup.tolerance = options->tolerance;
  setup.every = options->every;
  if (nestbind_across_create != NULL) {
    is_good = nestbind_across_create(&setup, &made->across) == NESTBIND_OK;
  } else if (setup.rank == 0) {
    fprintf(stderr, "nestbind: libnestbind is not in this program, so no object moves: start it by mpirun nestbind run -- "
                    "./program, or link it with -lnestbind\n");
  }
  MPI_Allreduce(&is_good, &all_are_good, 1, MPI_INT, MPI_MIN, comm);
  if (!all_are_good) {
    nestbind_mpi_balancer_free(made);
    made = NULL;
  }
  return made;
}

/* The functions below return -NESTBIND_NO_MODULE without the library, or if the balancer is null.
 * Those that give loads and messages return 0, or the negative number of an error. */

static inline struct nestbind_across *nestbind_mpi_across_(
    const struct nestbind_mpi_balancer *balancer) {
  return balancer == NULL ? NULL : balancer->across;
}

static inline int nestbind_mpi_load(struct nestbind_mpi_balancer *balancer, long long id,
                                    double seconds, double bytes) {
  struct nestbind_across *const across = nestbind_mpi_across_(balancer);
  return across == NULL ? -NESTBIND_NO_MODULE : -nestbind_across_load(across, id, seconds, bytes);
}

static inline int nestbind_mpi_load_of_region(struct nestbind_mpi_balancer *balancer, long long id,
                                              double bytes) {
  struct nestbind_across *const across = nestbind_mpi_across_(balancer);
  return across == NULL ? -NESTBIND_NO_MODULE : -nestbind_across_load_of_region(across, id, bytes);
}

static inline int nestbind_mpi_messages(struct nestbind_mpi_balancer *balancer, long long id,
                                        long long other, double count) {
  struct nestbind_across *const across = nestbind_mpi_across_(balancer);
  return across == NULL ? -NESTBIND_NO_MODULE : -nestbind_across_messages(across, id, other, count);
}

/* Collective. Returns the number of moves from or to the calling rank, or the negative number of an
 * error. `moves` are sorted by id, and valid until the next call. 0: there is nothing to do. */
static inline int nestbind_mpi_balance(struct nestbind_mpi_balancer *balancer,
                                       double remaining_steps,
                                       const struct nestbind_balance_move **moves) {
  struct nestbind_across_exchange x;
  *moves = NULL;
  if (nestbind_mpi_across_(balancer) == NULL) {
    return -NESTBIND_NO_MODULE;
  }
  nestbind_across_begin(balancer->across, remaining_steps);
  while (nestbind_across_next(balancer->across, MPI_Wtime(), &x)) {
    if (x.kind == NESTBIND_ACROSS_REDUCE) {
      MPI_Allreduce(MPI_IN_PLACE, x.numbers, 1, balancer->numbers, balancer->reduce,
                    balancer->group[x.group]);
    } else if (x.kind == NESTBIND_ACROSS_COUNTS) {
      MPI_Alltoall((void *)x.send_counts, 1, MPI_INT, x.receive_counts, 1, MPI_INT,
                   balancer->group[x.group]);
    } else {
      MPI_Alltoallv((void *)x.send, (int *)x.send_counts, (int *)x.send_offsets, MPI_BYTE,
                    x.receive, x.receive_counts, (int *)x.receive_offsets, MPI_BYTE,
                    balancer->group[x.group]);
    }
  }
  return nestbind_across_moves(balancer->across, moves);
}

/* What came of the last call; the same in all ranks. */
static inline int nestbind_mpi_balance_report(const struct nestbind_mpi_balancer *balancer,
                                              struct nestbind_across_report *report) {
  memset(report, 0, sizeof(*report));
  if (nestbind_mpi_across_(balancer) == NULL) {
    return -NESTBIND_NO_MODULE;
  }
  nestbind_across_get_report(balancer->across, report);
  return 0;
}

#ifdef __cplusplus
}
#endif
#endif
