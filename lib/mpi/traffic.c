/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/traffic.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mpi/nodes.h"

#define MPI nestbind_library

struct Counter *nestbind_counters;
int nestbind_counted_ranks;

static char g_file[PATH_MAX];
static int g_rank;
static int g_key = MPI_KEYVAL_INVALID;

unsigned nestbind_age = 1;
__thread struct Remembered nestbind_remembered[kRemembered];

static int forget_peers(MPI_Comm comm, int key, void *peers, void *unused) {
  (void)comm, (void)key, (void)unused;
  __atomic_fetch_add(&nestbind_age, 1, __ATOMIC_RELAXED);
  free(peers);
  return MPI_SUCCESS;
}

/* Returns to how many ranks of `comm` neighbourhood collectives send. list: for these ranks; may be
 * null. */
static int find_neighbours(MPI_Comm comm, int topology, int *list) {
  int rank = 0, in = 0, out = 0, weighted = 0;
  MPI.Comm_rank(comm, &rank);
  if (topology == MPI_CART) {
    MPI.Cartdim_get(comm, &out);
    for (int d = 0; d < out && list != NULL; ++d) {
      MPI.Cart_shift(comm, d, 1, &list[2 * d], &list[2 * d + 1]);
    }
    return 2 * out;
  }
  if (topology == MPI_GRAPH) {
    MPI.Graph_neighbors_count(comm, rank, &out);
    if (list != NULL) {
      MPI.Graph_neighbors(comm, rank, out, list);
    }
  } else if (topology == MPI_DIST_GRAPH) {
    MPI.Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    int *unused = list == NULL ? NULL : malloc(sizeof *unused * (2 * (size_t)in + (size_t)out + 1));
    if (unused != NULL) {
      MPI.Dist_graph_neighbors(comm, in, unused, unused + in, out, list, unused + 2 * in);
    }
    free(unused);
  }
  return out;
}

static const struct Peers kNone;
static pthread_mutex_t g_lock = PTHREAD_MUTEX_INITIALIZER;

static const struct Peers *make_peers(MPI_Comm comm) {
  int is_inter = 0, size = 0, topology = MPI_UNDEFINED;
  MPI_Group group;
  MPI.Comm_test_inter(comm, &is_inter);
  if ((is_inter ? MPI.Comm_remote_group : MPI.Comm_group)(comm, &group) != MPI_SUCCESS) {
    return &kNone;
  }
  MPI.Group_size(group, &size);
  MPI.Topo_test(comm, &topology);
  const int neighbours = is_inter ? 0 : find_neighbours(comm, topology, NULL);
  struct Peers *made = malloc(sizeof *made + sizeof(int) * ((size_t)size + (size_t)neighbours));
  int *ranks = (int *)(made + 1);
  if (made != NULL && nestbind_world_ranks(group, size, ranks)) {
    *made = (struct Peers){size, ranks, neighbours, ranks + size};
    for (int i = 0; i < neighbours; ++i) {
      ranks[size + i] = MPI_PROC_NULL;
    }
    find_neighbours(comm, topology, ranks + size);
    for (int i = 0; i < neighbours; ++i) {
      const int rank = ranks[size + i];
      ranks[size + i] = rank >= 0 && rank < size ? ranks[rank] : MPI_PROC_NULL;
    }
  } else {
    free(made);
    made = NULL;
  }
  MPI.Group_free(&group);
  if (made != NULL && MPI.Comm_set_attr(comm, g_key, made) != MPI_SUCCESS) {
    free(made);
    made = NULL;
  }
  return made == NULL ? &kNone : made;
}

const struct Peers *nestbind_look_up_peers(MPI_Comm comm, struct Remembered *place) {
  const unsigned age = __atomic_load_n(&nestbind_age, __ATOMIC_RELAXED);
  const struct Peers *peers = NULL;
  int is_there = 0;
  /* Two threads must not set the attribute: the second frees the first's peers. */
  pthread_mutex_lock(&g_lock);
  MPI.Comm_get_attr(comm, g_key, &peers, &is_there);
  peers = is_there ? peers : make_peers(comm);
  pthread_mutex_unlock(&g_lock);
  *place = (struct Remembered){comm, age, peers};
  return peers;
}

void nestbind_count_traffic(const char *folder) {
  int size = 0;
  MPI_Comm parent = MPI_COMM_NULL;
  MPI.Comm_get_parent(&parent);
  if (parent != MPI_COMM_NULL) {
    return; /* spawned processes have a world of their own, but inherit the parents' folder */
  }
  MPI.Comm_size(MPI.world, &size);
  MPI.Comm_rank(MPI.world, &g_rank);
  struct Counter *counters = calloc((size_t)size, sizeof *counters);
  const int length = snprintf(g_file, sizeof g_file, "%s/traffic.%d.prof", folder, g_rank);
  if (counters == NULL || length >= (int)sizeof g_file ||
      MPI.Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget_peers, &g_key, NULL) != MPI_SUCCESS) {
    free(counters);
    nestbind_tell("warning: rank %d does not count its messages", g_rank);
    return;
  }
  nestbind_counted_ranks = size;
  __atomic_store_n(&nestbind_counters, counters, __ATOMIC_RELEASE);
}

void nestbind_write_traffic(void) {
  if (nestbind_counters == NULL) {
    return;
  }
  FILE *file = fopen(g_file, "we");
  int is_written = file != NULL;
  if (file != NULL) {
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    fprintf(file,
            "# nestbind: rank %d of %d on %s\n# without collectives but those of neighbours, "
            "one-sided and "
            "partitioned communication, persistent collectives, functions with large counts (_c), "
            "and messages to "
            "processes outside MPI_COMM_WORLD\n",
            g_rank, nestbind_counted_ranks, host);
    for (int rank = 0; rank < nestbind_counted_ranks; ++rank) {
      const struct Counter *one = &nestbind_counters[rank];
      if (one->messages > 0) {
        fprintf(file, "E\t%d\t%d\t%lu bytes\t%lu msgs sent\n", g_rank, rank, one->bytes,
                one->messages);
      }
    }
    fprintf(file, "# end\n");
    is_written = ferror(file) == 0;
    is_written = fclose(file) == 0 && is_written;
  }
  if (!is_written) {
    nestbind_tell("warning: %.500s cannot be written: %s", g_file, strerror(errno));
  }
}
