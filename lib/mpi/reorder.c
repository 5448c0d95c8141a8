/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "mpi/reorder.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/library.h"
#include "mpi/nodes.h"
#include "planner/planner_ranks.h"

#define MPI nestbind_library

static __typeof__(&nestbind_planner_ranks_1) g_map_ranks;

/* The planner is beside this library. */
static void find_planner(void) {
  static const char kFile[] = "libnestbind-planner.so";
  Dl_info own;
  char name[PATH_MAX] = "";
  if (dladdr((void *)&nestbind_cart_create, &own) != 0) {
    const char *slash = strrchr(own.dli_fname, '/');
    const int folder = slash == NULL ? 0 : (int)(slash + 1 - own.dli_fname);
    snprintf(name, sizeof name, "%.*s%s", folder, own.dli_fname, kFile);
  }
  void *planner = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  void *found = planner == NULL ? NULL : dlsym(planner, "nestbind_planner_ranks_1");
  if (found == NULL) {
    const char *why = dlerror();
    nestbind_tell("warning: %s cannot be loaded, so no ranks are reordered: %.500s", kFile,
                  why == NULL ? name : why);
  }
  memcpy(&g_map_ranks, &found, sizeof found);
}

/* Fills in the processes. If they may not be reordered, `ranks` is 0. This is the same in all
 * processes of the communicator, also if they are from several worlds (MPI_Comm_spawn), of which
 * some have one node only. made_order() and has_rank() free the nodes. */
static struct nestbind_job job_of(MPI_Comm comm, int reorder) {
  struct nestbind_job job = {.path = nestbind_nodes.path};
  int is_inter = 1, size = 0;
  if (nestbind_nodes.count > 1 && reorder && MPI.Comm_test_inter(comm, &is_inter) == MPI_SUCCESS &&
      !is_inter && MPI.Comm_size(comm, &size) == MPI_SUCCESS && size > 1) {
    job.node = nestbind_nodes_of(comm, size);
    job.ranks = job.node == NULL ? 0 : size;
  }
  return job;
}

/* Sets the number of nodes that the planner must know, and returns how many of them have a process
 * of this job; 0 without memory. */
static int nodes_in(struct nestbind_job *job) {
  int used = 0;
  for (int i = 0; i < job->ranks; ++i) {
    job->nodes = job->node[i] >= job->nodes ? job->node[i] + 1 : job->nodes;
  }
  char *is_used = calloc((size_t)job->nodes, 1);
  for (int i = 0; i < job->ranks && is_used != NULL; ++i) {
    used += !is_used[job->node[i]];
    is_used[job->node[i]] = 1;
  }
  free(is_used);
  return used;
}

/* Returns the process of each new rank, for free(); null without gain. The same job has the same
 * order in each process. */
static int *order_of(struct nestbind_job *job, const char *what) {
  static pthread_once_t once = PTHREAD_ONCE_INIT; /* several threads may call MPI_Cart_map */
  static int is_told;
  struct nestbind_gain gain;
  const int nodes = nodes_in(job);
  if (nodes < 2 || pthread_once(&once, find_planner) != 0 || g_map_ranks == NULL) {
    return NULL;
  }
  int *order = malloc(sizeof *order * (size_t)job->ranks);
  const int is_placed = order != NULL && g_map_ranks(job, order, &gain);
  if (!is_placed) {
    nestbind_tell("warning: no ranks are reordered: the planner lacks memory");
  }
  if (!is_placed || (gain.bytes >= gain.bytes_before && gain.hop_bytes >= gain.hop_bytes_before)) {
    free(order);
    return NULL;
  }
  if (what != NULL && !is_told) {
    is_told = 1; /* a program may create thousands of communicators */
    char hops[100] = "";
    if (job->path != NULL) {
      snprintf(hops, sizeof hops, "; times hops %g, before %g", gain.hop_bytes,
               gain.hop_bytes_before);
    }
    nestbind_tell("%s: %d ranks on %d nodes reordered: %g units between nodes, before %g%s", what,
                  job->ranks, nodes, gain.bytes, gain.bytes_before, hops);
  }
  return order;
}

/* Collective. order: of rank 0; null in the other processes. */
static int *shared_order(MPI_Comm comm, int size, int *order) {
  int is_better = order != NULL;
  MPI.Bcast(&is_better, 1, MPI.integer, 0, comm);
  if (is_better) {
    order = order == NULL ? malloc(sizeof *order * (size_t)size) : order;
    MPI.Bcast(order, size, MPI.integer, 0, comm);
  }
  return order;
}

/* Rank 0 of `comm` decides for all, so all have the same order. Only its job counts. */
static int *common_order(MPI_Comm comm, struct nestbind_job *job, const char *what) {
  int rank = 0;
  MPI.Comm_rank(comm, &rank);
  return shared_order(comm, job->ranks, rank == 0 ? order_of(job, what) : NULL);
}

static void copy_handler(MPI_Comm from, MPI_Comm to) {
  MPI_Errhandler handler;
  if (MPI.Comm_get_errhandler(from, &handler) == MPI_SUCCESS) {
    MPI.Comm_set_errhandler(to, handler);
    MPI.Errhandler_free(&handler);
  }
}

/* Returns 1 if there is an order, and makes its communicator. Frees the order and the job's nodes.
 * The new communicator has the errors' handler of the old one until the topology is made, as MPI
 * has it. */
static int made_order(MPI_Comm comm, struct nestbind_job *job, int *order, MPI_Comm *ordered) {
  MPI_Group group, ordered_group;
  int error = MPI_ERR_OTHER;
  if (order != NULL) {
    MPI.Comm_group(comm, &group);
    MPI.Group_incl(group, job->ranks, order, &ordered_group);
    error = MPI.Comm_create(comm, ordered_group, ordered);
    MPI.Group_free(&ordered_group);
    MPI.Group_free(&group);
  }
  if (error == MPI_SUCCESS) {
    copy_handler(comm, *ordered);
  }
  free(order);
  free((void *)job->node);
  return error == MPI_SUCCESS;
}

/* Frees what the topology was made from. */
static int made_from(MPI_Comm *ordered, int error, MPI_Comm *made) {
  if (error == MPI_SUCCESS) {
    copy_handler(*ordered, *made);
  }
  MPI.Comm_free(ordered);
  return error;
}

/* The new rank of a process. */
static int rank_of(int process, int size, const int *order) {
  int rank = 0;
  while (rank < size - 1 && order[rank] != process) {
    ++rank;
  }
  return rank;
}

/* Returns 1 if there is an order, and writes this process's new rank. Frees the order and the job's
 * nodes. */
static int has_rank(MPI_Comm comm, struct nestbind_job *job, int *order, int *rank) {
  int own = 0;
  const int has_order = order != NULL;
  if (has_order) {
    MPI.Comm_rank(comm, &own);
    *rank = rank_of(own, job->ranks, order);
  }
  free(order);
  free((void *)job->node);
  return has_order;
}

/* Adds the grid. Returns 0 if it does not have a position for each process. */
static int add_grid(struct nestbind_job *job, int dims, const int lengths[],
                    const int is_periodic[]) {
  long long ranks = dims > 0 && lengths != NULL && is_periodic != NULL ? 1 : -1;
  for (int d = 0; d < dims && ranks > 0 && ranks <= job->ranks; ++d) {
    ranks = lengths[d] > 0 ? ranks * lengths[d] : -1;
  }
  job->dims = dims;
  job->lengths = lengths;
  job->is_periodic = is_periodic;
  return ranks == job->ranks;
}

int nestbind_cart_create(__typeof__(&MPI_Cart_create) next, MPI_Comm comm, int dims,
                         const int lengths[], const int is_periodic[], int reorder,
                         MPI_Comm *made) {
  struct nestbind_job job = job_of(comm, reorder);
  int *order = job.ranks > 0 && made != NULL && add_grid(&job, dims, lengths, is_periodic)
                   ? common_order(comm, &job, "MPI_Cart_create")
                   : NULL;
  MPI_Comm ordered;
  if (!made_order(comm, &job, order, &ordered)) {
    return next(comm, dims, lengths, is_periodic, reorder, made);
  }
  return made_from(&ordered, next(ordered, dims, lengths, is_periodic, 0, made), made);
}

int nestbind_cart_map(__typeof__(&MPI_Cart_map) next, MPI_Comm comm, int dims, const int lengths[],
                      const int is_periodic[], int *rank) {
  struct nestbind_job job = job_of(comm, 1);
  int *order = job.ranks > 0 && rank != NULL && add_grid(&job, dims, lengths, is_periodic)
                   ? order_of(&job, NULL)
                   : NULL;
  return has_rank(comm, &job, order, rank) ? MPI_SUCCESS
                                           : next(comm, dims, lengths, is_periodic, rank);
}

/* A part of a graph that one process knows. */
struct Edges {
  int count; /* -1 if the process lacks memory, or an edge is wrong: then MPI says why */
  struct nestbind_edge *all;
};

/* An edge is sent as so many integers. */
enum { kWords = sizeof(struct nestbind_edge) / sizeof(int) };

static int make_edges(struct Edges *edges, long count) {
  edges->count = 0;
  edges->all = count < 0 || count > INT_MAX / kWords
                   ? NULL
                   : malloc(((size_t)count + 1) * sizeof *edges->all);
  return edges->all != NULL;
}

static int has_weights(const int *weights) {
  return weights != NULL && weights != MPI.unweighted && weights != MPI.weights_empty;
}

static void add_edge(struct Edges *edges, int from, int to, const int *weights, int i) {
  edges->all[edges->count++] =
      (struct nestbind_edge){from, to, has_weights(weights) ? weights[i] : 1};
}

static int are_ranks(const int *ranks, long count, int size) {
  for (long i = 0; i < count; ++i) {
    if (ranks[i] < 0 || ranks[i] >= size) {
      return 0;
    }
  }
  return 1;
}

/* A graph in the form of MPI_Graph_create, which has the ends of each rank's neighbours. Collective
 * if `what` is not null. Without an order if the graph is wrong: then MPI says why. */
static int *order_of_graph(MPI_Comm comm, struct nestbind_job *job, const int ends[],
                           const int others[], const char *what) {
  struct Edges edges = {0};
  const int size = job->ranks;
  /* Without edges, some processes may pass null, and all must take the same way. */
  int is_good =
      ends != NULL && (others != NULL || ends[size - 1] == 0) && make_edges(&edges, ends[size - 1]);
  for (int rank = 0, at = 0; rank < size && is_good; ++rank) {
    is_good = ends[rank] >= at && ends[rank] <= ends[size - 1] &&
              are_ranks(others + at, ends[rank] - at, size);
    for (; is_good && at < ends[rank]; ++at) {
      add_edge(&edges, rank, others[at], NULL, 0);
    }
  }
  job->edges = edges.count;
  job->edge = edges.all;
  int *order = !is_good ? NULL : what == NULL ? order_of(job, NULL) : common_order(comm, job, what);
  free(edges.all);
  return order;
}

int nestbind_graph_create(__typeof__(&MPI_Graph_create) next, MPI_Comm comm, int ranks,
                          const int ends[], const int others[], int reorder, MPI_Comm *made) {
  struct nestbind_job job = job_of(comm, reorder);
  int *order = job.ranks > 0 && job.ranks == ranks && made != NULL
                   ? order_of_graph(comm, &job, ends, others, "MPI_Graph_create")
                   : NULL;
  MPI_Comm ordered;
  if (!made_order(comm, &job, order, &ordered)) {
    return next(comm, ranks, ends, others, reorder, made);
  }
  return made_from(&ordered, next(ordered, ranks, ends, others, 0, made), made);
}

int nestbind_graph_map(__typeof__(&MPI_Graph_map) next, MPI_Comm comm, int ranks, const int ends[],
                       const int others[], int *rank) {
  struct nestbind_job job = job_of(comm, 1);
  int *order = job.ranks > 0 && job.ranks == ranks && rank != NULL
                   ? order_of_graph(comm, &job, ends, others, NULL)
                   : NULL;
  return has_rank(comm, &job, order, rank) ? MPI_SUCCESS : next(comm, ranks, ends, others, rank);
}

/* Collective. Rank 0 gets the edges of all processes. Returns whether all are good. */
static int gather_edges(MPI_Comm comm, int size, int rank, const struct Edges *own,
                        struct Edges *all) {
  int *counts = calloc((size_t)size * 2, sizeof *counts); /* and where they begin, for Gatherv */
  int *begins = counts + size;
  long sum = 0;
  int is_good = counts != NULL;
  MPI.Gather(&own->count, 1, MPI.integer, counts, 1, MPI.integer, 0, comm);
  for (int i = 0; i < size && rank == 0 && is_good; ++i) {
    is_good = counts[i] >= 0 && sum + counts[i] <= INT_MAX / kWords;
    begins[i] = (int)sum * kWords;
    sum += counts[i];
    counts[i] = is_good ? counts[i] * kWords : 0;
  }
  is_good = is_good && (rank != 0 || make_edges(all, sum));
  MPI.Bcast(&is_good, 1, MPI.integer, 0, comm);
  if (is_good) {
    MPI.Gatherv(own->all, own->count * kWords, MPI.integer, all->all, counts, begins, MPI.integer,
                0, comm);
    all->count = (int)sum;
  }
  free(counts);
  return is_good;
}

/* Collective. Frees `own`. */
static int *common_order_of_edges(MPI_Comm comm, struct nestbind_job *job, struct Edges *own,
                                  const char *what) {
  struct Edges all = {0};
  int rank = 0;
  MPI.Comm_rank(comm, &rank);
  const int is_good = gather_edges(comm, job->ranks, rank, own, &all);
  free(own->all);
  job->edges = all.count;
  job->edge = all.all;
  int *order = is_good && rank == 0 ? order_of(job, what) : NULL;
  free(all.all);
  return shared_order(comm, job->ranks, order);
}

int nestbind_dist_graph_create(__typeof__(&MPI_Dist_graph_create) next, MPI_Comm comm, int count,
                               const int sources[], const int degrees[], const int destinations[],
                               const int weights[], MPI_Info info, int reorder, MPI_Comm *made) {
  struct nestbind_job job = job_of(comm, reorder);
  const int size = job.ranks;
  int *order = NULL;
  if (size > 0) {
    struct Edges own;
    long edges = 0;
    int is_good = count >= 0 && are_ranks(sources, count, size);
    for (int i = 0; i < count && is_good; ++i) {
      is_good = degrees[i] >= 0;
      edges += is_good ? degrees[i] : 0;
    }
    is_good = make_edges(&own, edges) && is_good && are_ranks(destinations, edges, size);
    for (int i = 0, at = 0; i < count && is_good; ++i) {
      for (int k = 0; k < degrees[i]; ++k, ++at) {
        add_edge(&own, sources[i], destinations[at], weights, at);
      }
    }
    own.count = is_good ? own.count : -1;
    order = common_order_of_edges(comm, &job, &own, "MPI_Dist_graph_create");
  }
  MPI_Comm ordered;
  if (!made_order(comm, &job, order, &ordered)) {
    return next(comm, count, sources, degrees, destinations, weights, info, reorder, made);
  }
  /* Each process may name edges of all ranks, so the edges are now those of the new ranks. */
  return made_from(
      &ordered, next(ordered, count, sources, degrees, destinations, weights, info, 0, made), made);
}

/* The neighbours of one rank, in the form of MPI_Dist_graph_create_adjacent. */
struct Neighbours {
  int in, out, in_weighted, out_weighted;
  int *ranks; /* sources, their weights, destinations, their weights */
};

static size_t length_of(const struct Neighbours *own) {
  return 2 * ((size_t)own->in + (size_t)own->out);
}

static void put(int *to, const int *from, int count) {
  if (count > 0 && from != NULL) {
    memcpy(to, from, sizeof *to * (size_t)count);
  }
}

/* Sends this process's neighbours to the process that now has its rank, and gets those of its own
 * new rank. */
static int exchange_neighbours(MPI_Comm ordered, int old_rank, int from,
                               const struct Neighbours *own, struct Neighbours *got) {
  MPI.Sendrecv(own, 4, MPI.integer, old_rank, 0, got, 4, MPI.integer, from, 0, ordered,
               MPI_STATUS_IGNORE);
  got->ranks = malloc((length_of(got) + 1) * sizeof *got->ranks);
  return got->ranks != NULL && MPI.Sendrecv(own->ranks, (int)length_of(own), MPI.integer, old_rank,
                                            1, got->ranks, (int)length_of(got), MPI.integer, from,
                                            1, ordered, MPI_STATUS_IGNORE) == MPI_SUCCESS;
}

static const int *weights_of(int is_weighted, int count, const int *weights) {
  return !is_weighted ? MPI.unweighted : count == 0 ? MPI.weights_empty : weights;
}

int nestbind_dist_graph_create_adjacent(__typeof__(&MPI_Dist_graph_create_adjacent) next,
                                        MPI_Comm comm, int in, const int sources[],
                                        const int in_weights[], int out, const int destinations[],
                                        const int out_weights[], MPI_Info info, int reorder,
                                        MPI_Comm *made) {
  struct nestbind_job job = job_of(comm, reorder);
  const int size = job.ranks;
  int *order = NULL;
  int old_rank = 0;
  struct Neighbours own = {.in = in,
                           .out = out,
                           .in_weighted = in_weights != MPI.unweighted,
                           .out_weighted = out_weights != MPI.unweighted};
  if (size > 0) {
    struct Edges edges;
    MPI.Comm_rank(comm, &old_rank);
    int is_good =
        in >= 0 && out >= 0 && are_ranks(sources, in, size) && are_ranks(destinations, out, size);
    own.ranks = is_good ? calloc(length_of(&own) + 1, sizeof *own.ranks) : NULL;
    is_good = make_edges(&edges, is_good ? out : 0) && is_good && own.ranks != NULL;
    for (int i = 0; i < out && is_good; ++i) {
      add_edge(&edges, old_rank, destinations[i], out_weights, i);
    }
    edges.count = is_good ? edges.count : -1;
    order = common_order_of_edges(comm, &job, &edges, "MPI_Dist_graph_create_adjacent");
  }
  const int rank = order == NULL ? 0 : rank_of(old_rank, size, order);
  const int from = order == NULL ? 0 : rank_of(rank, size, order);
  MPI_Comm ordered;
  if (!made_order(comm, &job, order, &ordered)) {
    free(own.ranks);
    return next(comm, in, sources, in_weights, out, destinations, out_weights, info, reorder, made);
  }
  put(own.ranks, sources, in);
  put(own.ranks + in, has_weights(in_weights) ? in_weights : NULL, in);
  put(own.ranks + 2 * in, destinations, out);
  put(own.ranks + 2 * in + out, has_weights(out_weights) ? out_weights : NULL, out);
  struct Neighbours got = {0};
  const int has_got = exchange_neighbours(ordered, old_rank, from, &own, &got);
  free(own.ranks);
  const int error =
      has_got ? next(ordered, got.in, got.ranks,
                     weights_of(got.in_weighted, got.in, got.ranks + got.in), got.out,
                     got.ranks + 2 * got.in,
                     weights_of(got.out_weighted, got.out, got.ranks + 2 * got.in + got.out), info,
                     0, made)
              : MPI_ERR_OTHER;
  free(got.ranks);
  return made_from(&ordered, error, made);
}
