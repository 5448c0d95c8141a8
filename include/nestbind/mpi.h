/* SPDX-License-Identifier: BSD-3-Clause */
/* nestbind: where the ranks of a communicator are: in the network, on which node, and on which
 * core.
 *
 * The functions follow TopoManager (Bhatele and Kale, 2009). They are in this header only, and need
 * no library: compile with the program's MPI compiler. If the program also uses libnestbind
 * (linked, or by nestbind run), ranks of one node have packages, NUMA nodes and cores; otherwise
 * all have the numbers 0.
 *
 * Coordinates, the outermost first: the switches above the node, the node in its switch, the
 * package, the NUMA node, the core, and the rank among those with the same core. The number of an
 * object begins at 0 in the object that contains it. Sources: Slurm says the switches
 * (SLURM_TOPOLOGY_ADDR, with topology/tree or block; without it there are none), MPI says the node
 * (MPI_Comm_split_type), and nestbind_place_of_slot(0) says the core.
 *
 * The first call for a communicator is collective: all its processes must make it, with any of the
 * functions and any arguments. Later calls communicate with nobody, and may be made by one process
 * alone. An attribute of the communicator keeps the result; MPI_Comm_free frees it. Only
 * intracommunicators have coordinates. A bad argument, lack of memory, and an error of MPI give -1.
 */
#ifndef NESTBIND_MPI_H
#define NESTBIND_MPI_H

#include <mpi.h>
#include <nestbind/topology.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma weak nestbind_place_of_slot

/* What the functions keep. The members may change. */
struct nestbind_mpi_ranks {
  int count, dims, switches;
  int *coordinates; /* of each rank */
};
/* Weak, so that all files of a program share it. */
__attribute__((weak)) int nestbind_mpi_key = MPI_KEYVAL_INVALID;

static inline int nestbind_mpi_forget(MPI_Comm comm, int key, void *ranks, void *unused) {
  (void)comm, (void)key, (void)unused;
  free(ranks);
  return MPI_SUCCESS;
}

/* A record of a rank: its node's lowest rank, package, NUMA node, core, and rank; then the path:
 * the names of the switches and of the node, with points between them. */
enum { NESTBIND_MPI_NUMBERS = 5 };

static inline const char *nestbind_mpi_path(const int *record) {
  return (const char *)(record + NESTBIND_MPI_NUMBERS);
}

static inline int nestbind_mpi_compare(const void *left, const void *right) {
  const int *a = (const int *)left, *b = (const int *)right;
  int order = strcmp(nestbind_mpi_path(a), nestbind_mpi_path(b));
  for (int i = 0; order == 0 && i < NESTBIND_MPI_NUMBERS; ++i) {
    order = a[i] - b[i];
  }
  return order;
}

/* The number of first coordinates that two records have in common. */
static inline int nestbind_mpi_common(const int *one, const int *two, int switches) {
  const char *a = nestbind_mpi_path(one), *b = nestbind_mpi_path(two);
  int common = 0;
  for (; common < switches && *a == *b && *a != '\0'; ++a, ++b) {
    common += *a == '.';
  }
  for (int i = 0; common == switches + i && i + 1 < NESTBIND_MPI_NUMBERS && one[i] == two[i]; ++i) {
    ++common;
  }
  return common;
}

/* Writes the coordinates of records that are sorted. */
static inline void nestbind_mpi_number(const int *records, size_t width,
                                       struct nestbind_mpi_ranks *made) {
  const size_t dims = (size_t)made->dims;
  const int *before = NULL;
  for (int i = 0; i < made->count; ++i, records += width) {
    int *own = made->coordinates + (size_t)records[NESTBIND_MPI_NUMBERS - 1] * dims;
    memset(own, 0, dims * sizeof *own);
    if (i > 0) {
      const int level = nestbind_mpi_common(records, records - width, made->switches);
      memcpy(own, before, ((size_t)level + 1) * sizeof *own);
      ++own[level];
    }
    before = own;
  }
}

/* Collective. Writes this process's numbers. */
static inline int nestbind_mpi_own(MPI_Comm comm, int rank, int *own) {
  MPI_Comm node;
  struct nestbind_place place;
  own[0] = own[NESTBIND_MPI_NUMBERS - 1] = rank;
  if (nestbind_place_of_slot != NULL && nestbind_place_of_slot(0, &place) == NESTBIND_OK) {
    own[1] = place.package;
    own[2] = place.numa;
    own[3] = place.core;
  }
  if (MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node) != MPI_SUCCESS) {
    return MPI_ERR_COMM;
  }
  const int error = MPI_Bcast(own, 1, MPI_INT, 0, node);
  MPI_Comm_free(&node);
  return error;
}

/* The records are sorted; width: integers in a record. */
static inline struct nestbind_mpi_ranks *nestbind_mpi_made(int *records, size_t width, int size) {
  int switches = -1;
  for (int i = 0; i < size; ++i) {
    int points = 0; /* paths may have different lengths */
    for (const char *at = nestbind_mpi_path(records + (size_t)i * width); *at != '\0'; ++at) {
      points += *at == '.';
    }
    switches = switches < 0 || points < switches ? points : switches;
  }
  const int dims = switches + NESTBIND_MPI_NUMBERS;
  struct nestbind_mpi_ranks *made =
      (struct nestbind_mpi_ranks *)malloc(sizeof *made + sizeof(int) * (size_t)dims * (size_t)size);
  if (made != NULL) {
    made->count = size;
    made->dims = dims;
    made->switches = switches;
    made->coordinates = (int *)(made + 1);
    nestbind_mpi_number(records, width, made);
  }
  return made;
}

/* Collective. */
static inline struct nestbind_mpi_ranks *nestbind_mpi_make(MPI_Comm comm) {
  int size = 0, rank = 0;
  const char *path = getenv("SLURM_TOPOLOGY_ADDR");
  const int length = path == NULL || strlen(path) > 4096 ? 0 : (int)strlen(path);
  int own[2] = {length, length == 0}, most[2] = {0, 0}; /* if one process has no path, none has */
  MPI_Comm_size(comm, &size);
  MPI_Comm_rank(comm, &rank);
  if (MPI_Allreduce(own, most, 2, MPI_INT, MPI_MAX, comm) != MPI_SUCCESS) {
    return NULL;
  }
  const size_t width =
      NESTBIND_MPI_NUMBERS + (most[1] ? 0 : (size_t)most[0]) / sizeof(int) + 1; /* with the nul */
  int *record = (int *)calloc(width, sizeof *record);
  int *records = (int *)malloc(width * (size_t)size * sizeof *records);
  struct nestbind_mpi_ranks *made = NULL;
  if (record != NULL && records != NULL && nestbind_mpi_own(comm, rank, record) == MPI_SUCCESS) {
    if (!most[1]) {
      memcpy(record + NESTBIND_MPI_NUMBERS, path, (size_t)length);
    }
    if (MPI_Allgather(record, (int)width, MPI_INT, records, (int)width, MPI_INT, comm) ==
        MPI_SUCCESS) {
      qsort(records, (size_t)size, width * sizeof *records, nestbind_mpi_compare);
      made = nestbind_mpi_made(records, width, size);
    }
  }
  free(record);
  free(records);
  return made;
}

/* Null if the communicator has no coordinates. */
static inline const struct nestbind_mpi_ranks *nestbind_mpi_find(MPI_Comm comm) {
  int is_inter = 0, is_there = 0;
  void *kept = NULL;
  if (nestbind_mpi_key == MPI_KEYVAL_INVALID &&
      MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, nestbind_mpi_forget, &nestbind_mpi_key, NULL) !=
          MPI_SUCCESS) {
    return NULL;
  }
  if (MPI_Comm_get_attr(comm, nestbind_mpi_key, &kept, &is_there) != MPI_SUCCESS || is_there) {
    return (const struct nestbind_mpi_ranks *)kept;
  }
  MPI_Comm_test_inter(comm, &is_inter);
  struct nestbind_mpi_ranks *made = is_inter ? NULL : nestbind_mpi_make(comm);
  if (made != NULL && MPI_Comm_set_attr(comm, nestbind_mpi_key, made) != MPI_SUCCESS) {
    free(made);
    made = NULL;
  }
  return made;
}

/* How many first coordinates two ranks have in common. */
static inline int nestbind_mpi_level(const struct nestbind_mpi_ranks *ranks, int a, int b) {
  const int *left = ranks->coordinates + (size_t)a * (size_t)ranks->dims;
  const int *right = ranks->coordinates + (size_t)b * (size_t)ranks->dims;
  int level = 0;
  while (level < ranks->dims && left[level] == right[level]) {
    ++level;
  }
  return level;
}

/* Writes the coordinates of a rank.
 *
 * rank: in [0, the communicator's size).
 * coordinates: room for `capacity` numbers; may be null if capacity is 0.
 * Returns the number of coordinates, even if it exceeds the capacity: 5, and one for each level of
 * switches; or -1. */
static inline int nestbind_mpi_coordinates(MPI_Comm comm, int rank, int *coordinates,
                                           int capacity) {
  const struct nestbind_mpi_ranks *ranks = nestbind_mpi_find(comm);
  if (ranks == NULL || rank < 0 || rank >= ranks->count || capacity < 0 ||
      (coordinates == NULL && capacity > 0)) {
    return -1;
  }
  const int *own = ranks->coordinates + (size_t)rank * (size_t)ranks->dims;
  for (int i = 0; i < ranks->dims && i < capacity; ++i) {
    coordinates[i] = own[i];
  }
  return ranks->dims;
}

/* Returns the rank with these coordinates, or -1. coordinates: as many numbers as
 * nestbind_mpi_coordinates returns. Takes time in proportion to the number of ranks. */
static inline int nestbind_mpi_rank(MPI_Comm comm, const int *coordinates) {
  const struct nestbind_mpi_ranks *ranks = nestbind_mpi_find(comm);
  for (int rank = 0; ranks != NULL && coordinates != NULL && rank < ranks->count; ++rank) {
    const int *own = ranks->coordinates + (size_t)rank * (size_t)ranks->dims;
    if (memcmp(own, coordinates, (size_t)ranks->dims * sizeof *own) == 0) {
      return rank;
    }
  }
  return -1;
}

/* Returns the hops between the nodes of two ranks: 0 for the same node, 1 for the same lowest
 * switch (or without switches), and one more for each level up to the switch that both have in
 * common. Returns -1 if there is no such rank. */
static inline int nestbind_mpi_hops(MPI_Comm comm, int a, int b) {
  const struct nestbind_mpi_ranks *ranks = nestbind_mpi_find(comm);
  if (ranks == NULL || a < 0 || b < 0 || a >= ranks->count || b >= ranks->count) {
    return -1;
  }
  const int level = nestbind_mpi_level(ranks, a, b);
  return level > ranks->switches ? 0 : ranks->switches - level + 1;
}

struct nestbind_mpi_near {
  int rank, level, place;
};

static inline int nestbind_mpi_nearer(const void *left, const void *right) {
  const struct nestbind_mpi_near *a = (const struct nestbind_mpi_near *)left;
  const struct nestbind_mpi_near *b = (const struct nestbind_mpi_near *)right;
  return a->level != b->level ? b->level - a->level : a->place - b->place;
}

/* Sorts `count` ranks in place by their distance from the rank `root`: by hops, then by package,
 * NUMA node and core, then by position. If root is among them, it is the first. Returns 0, or -1 if
 * a rank does not exist: then nothing changes. */
static inline int nestbind_mpi_sort(MPI_Comm comm, int root, int *ranks, int count) {
  const struct nestbind_mpi_ranks *all = nestbind_mpi_find(comm);
  if (all == NULL || root < 0 || root >= all->count || count < 0 || (ranks == NULL && count > 0)) {
    return -1;
  }
  struct nestbind_mpi_near *near =
      (struct nestbind_mpi_near *)malloc(sizeof *near * ((size_t)count + 1));
  int error = near == NULL ? -1 : 0;
  for (int i = 0; i < count && error == 0; ++i) {
    error = ranks[i] < 0 || ranks[i] >= all->count ? -1 : 0;
    near[i].rank = ranks[i];
    near[i].place = i;
    near[i].level = error == 0 ? nestbind_mpi_level(all, root, ranks[i]) : 0;
  }
  if (error == 0) {
    qsort(near, (size_t)count, sizeof *near, nestbind_mpi_nearer);
    for (int i = 0; i < count; ++i) {
      ranks[i] = near[i].rank;
    }
  }
  free(near);
  return error;
}

#ifdef NESTBIND_MPI_FORTRAN
/* For nestbind_mpi.f90: mpicc -x c -DNESTBIND_MPI_FORTRAN -c nestbind/mpi.h -o nestbind_mpi_c.o */
int nestbind_mpi_coordinates_f(MPI_Fint comm, int rank, int *coordinates, int capacity);
int nestbind_mpi_coordinates_f(MPI_Fint comm, int rank, int *coordinates, int capacity) {
  return nestbind_mpi_coordinates(MPI_Comm_f2c(comm), rank, coordinates, capacity);
}
int nestbind_mpi_rank_f(MPI_Fint comm, const int *coordinates);
int nestbind_mpi_rank_f(MPI_Fint comm, const int *coordinates) {
  return nestbind_mpi_rank(MPI_Comm_f2c(comm), coordinates);
}
int nestbind_mpi_hops_f(MPI_Fint comm, int a, int b);
int nestbind_mpi_hops_f(MPI_Fint comm, int a, int b) {
  return nestbind_mpi_hops(MPI_Comm_f2c(comm), a, b);
}
int nestbind_mpi_sort_f(MPI_Fint comm, int root, int *ranks, int count);
int nestbind_mpi_sort_f(MPI_Fint comm, int root, int *ranks, int count) {
  return nestbind_mpi_sort(MPI_Comm_f2c(comm), root, ranks, count);
}
#endif

#ifdef __cplusplus
}
#endif

#include <nestbind/mpi_balance.h>

#endif
