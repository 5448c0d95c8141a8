/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes communicators with and without reorder, and checks them: coordinates, neighbours (by
 * neighbourhood collectives against the graph), and the bytes of Cart_map and Graph_map. Then each
 * rank exchanges messages on one of them, so that a counter outside can count bytes. Usage:
 * topologies CASE [BYTES]. Prints one line "rank OLD is NEW" for each rank, and "fault ..." if
 * something is wrong. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int g_rank, g_size, g_faults;

static void check(int is_good, const char *what) {
  if (!is_good) {
    ++g_faults;
    printf("fault: rank %d: %s\n", g_rank, what);
  }
}

/* A graph that each rank knows: a grid of 2 or 3 dimensions whose vertices have scrambled numbers.
 */
static int g_dims[3], g_ndims, g_periodic, g_scrambled;

static int label(int position) {
  return g_scrambled ? (int)((position * 29L + 11) % g_size) : position;
}
static int position_of(int vertex) {
  for (int i = 0; i < g_size; ++i) {
    if (label(i) == vertex) {
      return i;
    }
  }
  return -1;
}

/* Neighbours of a vertex in the graph; at most 6. */
static int neighbours(int vertex, int *out) {
  int at[3], count = 0, rest = position_of(vertex);
  for (int d = g_ndims - 1; d >= 0; --d) {
    at[d] = rest % g_dims[d];
    rest /= g_dims[d];
  }
  for (int d = 0; d < g_ndims; ++d) {
    for (int step = -1; step <= 1; step += 2) {
      int to[3] = {at[0], at[1], at[2]};
      to[d] += step;
      if (g_periodic) {
        to[d] = (to[d] + g_dims[d]) % g_dims[d];
      }
      if (to[d] >= 0 && to[d] < g_dims[d]) {
        int position = 0;
        for (int e = 0; e < g_ndims; ++e) {
          position = position * g_dims[e] + to[e];
        }
        out[count++] = label(position);
      }
    }
  }
  return count;
}

static void exchange(MPI_Comm comm, const int *to, int count, int bytes) {
  char *data = calloc((size_t)count, (size_t)bytes), *got = calloc((size_t)count, (size_t)bytes);
  MPI_Request requests[16];
  MPI_Status statuses[16];
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; i < count; ++i) {
      MPI_Irecv(got + (size_t)i * bytes, bytes, MPI_CHAR, to[i], 1, comm, &requests[i]);
    }
    for (int i = 0; i < count; ++i) {
      MPI_Isend(data + (size_t)i * bytes, bytes, MPI_CHAR, to[i], 1, comm, &requests[count + i]);
    }
    MPI_Waitall(2 * count, requests, statuses);
  }
  free(data);
  free(got);
}

/* Each process sends its rank to its neighbours, and knows from the graph who must have sent. */
static void check_neighbourhood(MPI_Comm comm) {
  int rank, wanted[6], got[16], is_weighted = 0, in = 0, out = 0, kind = MPI_UNDEFINED;
  MPI_Comm_rank(comm, &rank);
  const int count = neighbours(rank, wanted);
  memset(got, -1, sizeof got);
  MPI_Topo_test(comm, &kind);
  if (kind == MPI_DIST_GRAPH) {
    MPI_Dist_graph_neighbors_count(comm, &in, &out, &is_weighted);
  } else {
    MPI_Graph_neighbors_count(comm, rank, &in);
    out = in;
  }
  check(in == count && out == count, "number of neighbours");
  if (in != count || out != count) {
    return;
  }
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, got, 1, MPI_INT, comm);
  for (int i = 0; i < count; ++i) {
    int there = 0, expected = 0;
    for (int k = 0; k < count; ++k) {
      there += got[k] == wanted[i];
      expected += wanted[k] == wanted[i];
    }
    check(there == expected, "a neighbour of the graph has sent");
  }
}

static int graph_of_all(int *ends, int *others) {
  int at = 0;
  for (int i = 0; i < g_size; ++i) {
    at += neighbours(i, others + at);
    ends[i] = at;
  }
  return at;
}

static MPI_Comm make(const char *how, int reorder, MPI_Comm comm, int *mapped) {
  MPI_Comm made = MPI_COMM_NULL;
  int *ends = malloc(sizeof *ends * (size_t)g_size),
      *others = malloc(6 * sizeof *others * (size_t)g_size), own[6];
  int rank;
  MPI_Comm_rank(comm, &rank);
  *mapped = -2;
  if (strcmp(how, "cart") == 0) {
    int periods[3] = {g_periodic, g_periodic, g_periodic};
    MPI_Cart_map(comm, g_ndims, g_dims, periods, mapped);
    MPI_Cart_create(comm, g_ndims, g_dims, periods, reorder, &made);
  } else if (strcmp(how, "graph") == 0) {
    graph_of_all(ends, others);
    MPI_Graph_map(comm, g_size, ends, others, mapped);
    MPI_Graph_create(comm, g_size, ends, others, reorder, &made);
  } else if (strcmp(how, "dist") == 0) { /* rank r names the edges of vertex r + 1 */
    int vertex = (rank + 1) % g_size;
    int count = neighbours(vertex, own);
    MPI_Dist_graph_create(comm, 1, &vertex, &count, own, MPI_UNWEIGHTED, MPI_INFO_NULL, reorder,
                          &made);
  } else {
    int count = neighbours(rank, own), weights[6];
    for (int i = 0; i < count; ++i) {
      weights[i] = 100 * rank + own[i]; /* tells who named the edge */
    }
    MPI_Dist_graph_create_adjacent(comm, count, own, weights, count, own, weights, MPI_INFO_NULL,
                                   reorder, &made);
    int sources[6], in_weights[6], destinations[6], out_weights[6], new_rank;
    MPI_Comm_rank(made, &new_rank);
    count = neighbours(new_rank, own);
    MPI_Dist_graph_neighbors(made, 6, sources, in_weights, 6, destinations, out_weights);
    for (int i = 0; i < count; ++i) {
      check(sources[i] == own[i] && destinations[i] == own[i],
            "adjacent neighbours are in their order");
      check(in_weights[i] == 100 * new_rank + own[i] && out_weights[i] == in_weights[i],
            "weights follow the edges");
    }
  }
  free(ends);
  free(others);
  return made;
}

int main(int argc, char **argv) {
  int provided, bytes = argc > 2 ? atoi(argv[2]) : 1000, mapped, new_rank;
  const char *name = argc > 1 ? argv[1] : "cart";
  if (strstr(name, "threads") != NULL) {
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  } else {
    MPI_Init(&argc, &argv);
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &g_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &g_size);
  char how[64];
  sscanf(name, "%63[a-z]", how);
  g_ndims = strchr(name, '3') != NULL ? 3 : 2;
  g_periodic =
      strchr(name, 'p') != NULL && strchr(strchr(name, '-') ? strchr(name, '-') : "", 'p') != NULL;
  g_scrambled = strstr(name, "-s") != NULL;
  MPI_Comm world = MPI_COMM_WORLD;
  if (strstr(name, "half") != NULL) { /* each half of the nodes has its own */
    MPI_Comm_split(MPI_COMM_WORLD, 2 * g_rank < g_size, 0, &world);
    MPI_Comm_size(world, &g_size);
  }
  MPI_Dims_create(g_size, g_ndims, g_dims);
  const int reorder = strstr(name, "fixed") == NULL;
  if (strcmp(how, "transpose") == 0) { /* all to all by single messages: no order is better */
    for (int i = 1; i < g_size; ++i) {
      char data[64] = {0}, got[64];
      MPI_Sendrecv(data, 64, MPI_CHAR, (g_rank + i) % g_size, 1, got, 64, MPI_CHAR,
                   (g_rank + g_size - i) % g_size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
  }
  MPI_Comm comm = make(how, reorder, world, &mapped);
  MPI_Comm_rank(comm, &new_rank);
  if (mapped != -2 && reorder) {
    check(mapped == new_rank, "the map agrees with the communicator");
  }
  int to[16], count = 0;
  if (strcmp(how, "cart") == 0) {
    int at[3], from, there, position = 0;
    MPI_Cart_coords(comm, new_rank, g_ndims, at);
    for (int d = 0; d < g_ndims; ++d) {
      position = position * g_dims[d] + at[d];
      MPI_Cart_shift(comm, d, 1, &from, &there);
      if (from != MPI_PROC_NULL) {
        to[count++] = from;
      }
      if (there != MPI_PROC_NULL) {
        to[count++] = there;
      }
    }
    check(position == new_rank, "a grid's ranks are numbered along its last dimension");
  } else {
    if (getenv("NO_NEIGHBOURS") ==
        NULL) { /* Open MPI 4's monitoring fails in neighbourhood collectives on graphs */
      check_neighbourhood(comm);
    }
    count = neighbours(new_rank, to);
  }
  int handler_is_kept = 0;
  MPI_Errhandler handler;
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_get_errhandler(comm, &handler);
  handler_is_kept = handler == MPI_ERRORS_ARE_FATAL;
  check(handler_is_kept, "the error handler is the old communicator's");
  exchange(comm, to, count, bytes);
  printf("rank %d is %d\n", g_rank, new_rank);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return g_faults > 0;
}
