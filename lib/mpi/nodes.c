/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi/nodes.h"

#include <stdlib.h>
#include <string.h>

#define MPI nestbind_library

struct Nodes nestbind_nodes;

/* A node's leader is its lowest rank. */
static int leader_of_own_node(int rank, int *leader) {
  MPI_Comm node;
  *leader = rank;
  if (MPI.Comm_split_type(MPI.world, MPI_COMM_TYPE_SHARED, 0, MPI.no_info, &node) != MPI_SUCCESS) {
    return 0;
  }
  const int is_good = MPI.Bcast(leader, 1, MPI.integer, 0, node) == MPI_SUCCESS;
  return MPI.Comm_free(&node) == MPI_SUCCESS && is_good;
}

/* letters: of the longest path, with the nul; the same number in all ranks. */
static char **exchange_paths(const char *own, int letters, const int *first_rank) {
  const size_t width = (size_t)letters;
  char *mine = calloc(width, 1);
  char *all = malloc(width * (size_t)nestbind_nodes.ranks);
  char **paths = calloc((size_t)nestbind_nodes.count, sizeof *paths);
  if (mine != NULL && all != NULL && paths != NULL) {
    memcpy(mine, own, strlen(own));
    MPI.Allgather(mine, letters, MPI.character, all, letters, MPI.character, MPI.world);
    for (int i = 0; i < nestbind_nodes.count; ++i) {
      paths[i] = strdup(all + width * (size_t)first_rank[i]);
    }
  }
  free(mine);
  free(all);
  return paths;
}

void nestbind_exchange_nodes(void) {
  struct Nodes *own = &nestbind_nodes;
  int size = 0, rank = 0;
  struct {
    int leader, letters;
  } mine, *all;
  MPI.Comm_size(MPI.world, &size);
  MPI.Comm_rank(MPI.world, &rank);
  const char *path = getenv("SLURM_TOPOLOGY_ADDR");
  mine.letters = path == NULL || strlen(path) > 4096 ? 0 : (int)strlen(path) + 1;
  all = malloc(sizeof *all * (size_t)size);
  int *node = malloc(sizeof *node * (size_t)size);
  int *first_rank = malloc(sizeof *first_rank * (size_t)size);
  if (all == NULL || node == NULL || first_rank == NULL ||
      !leader_of_own_node(rank, &mine.leader) ||
      MPI.Allgather(&mine, 2, MPI.integer, all, 2, MPI.integer, MPI.world) != MPI_SUCCESS) {
    free(all);
    free(node);
    free(first_rank);
    return;
  }
  int letters = 0, all_have_paths = 1;
  for (int i = 0; i < size; ++i) {
    const int is_leader = all[i].leader == i;
    node[i] = is_leader ? own->count : node[all[i].leader];
    if (is_leader) {
      first_rank[own->count++] = i;
    }
    letters = all[i].letters > letters ? all[i].letters : letters;
    all_have_paths = all_have_paths && all[i].letters > 0;
  }
  own->node = node;
  own->ranks = size;
  own->path = all_have_paths ? exchange_paths(path, letters, first_rank) : NULL;
  free(all);
  free(first_rank);
}

int nestbind_world_ranks(MPI_Group group, int size, int *ranks) {
  MPI_Group world;
  int *own = malloc(sizeof *own * (size_t)(size > 0 ? size : 1));
  int is_good = own != NULL && MPI.Comm_group(MPI.world, &world) == MPI_SUCCESS;
  if (is_good) {
    for (int i = 0; i < size; ++i) {
      own[i] = i;
    }
    is_good = MPI.Group_translate_ranks(group, size, own, world, ranks) == MPI_SUCCESS;
    MPI.Group_free(&world);
  }
  free(own);
  return is_good;
}

int *nestbind_nodes_of(MPI_Comm comm, int size) {
  MPI_Group group;
  int *nodes = malloc(sizeof *nodes * (size_t)size);
  if (nodes == NULL || nestbind_nodes.ranks == 0 || MPI.Comm_group(comm, &group) != MPI_SUCCESS) {
    free(nodes);
    return NULL;
  }
  int is_good = nestbind_world_ranks(group, size, nodes);
  MPI.Group_free(&group);
  for (int i = 0; i < size && is_good; ++i) {
    is_good = nodes[i] != MPI_UNDEFINED;
    nodes[i] = is_good ? nestbind_nodes.node[nodes[i]] : 0;
  }
  if (!is_good) {
    free(nodes);
    return NULL;
  }
  return nodes;
}
