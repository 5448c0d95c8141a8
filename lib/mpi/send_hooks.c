/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions that send, for MPICH's family. All Fortran libraries of this family call these
 * functions. At most 60 instructions a message (tests/mpi/run.py). */
#include <pthread.h>
#include <stdlib.h>

#include "mpi/traffic.h"

__attribute__((cold, noinline)) static void *find_once(void **slot, const char *name) {
  void *next = nestbind_next(name);
  __atomic_store_n(slot, next, __ATOMIC_RELAXED);
  return next;
}
static inline void *kept(void **slot, const char *name) {
  void *next = __atomic_load_n(slot, __ATOMIC_RELAXED);
  return __builtin_expect(next == NULL, 0) ? find_once(slot, name) : next;
}
/* The original of a function; found once. */
#define NEXT(name)       \
  ((__typeof__(&name))({ \
    static void *slot;   \
    kept(&slot, #name);  \
  }))

static inline int counts(void) { return nestbind_counters != NULL; }

__attribute__((cold, noinline)) static int size_of(MPI_Datatype type) {
  int size = 0;
  /* The null type is allowed without data. */
  return type == MPI_DATATYPE_NULL || nestbind_library.Type_size(type, &size) != MPI_SUCCESS ? 0
                                                                                             : size;
}

/* MPICH's binary interface has the size of a basic type in the type's number. A negative count is
 * an error that MPI reports. */
static inline unsigned long bytes_of(int count, MPI_Datatype type) {
  const unsigned number = (unsigned)type;
  const int size =
      __builtin_expect(number >> 30 == 1, 1) ? (int)(number >> 8 & 0xff) : size_of(type);
  return (unsigned long)count * (unsigned)size;
}

static inline int world_rank(MPI_Comm comm, int to) {
  if (comm == MPI_COMM_WORLD) {
    return to;
  }
  const struct Peers *peers = nestbind_find_peers(comm);
  return (unsigned)to < (unsigned)peers->count ? peers->ranks[to] : -1;
}

static inline void count(int amount, MPI_Datatype type, int to, MPI_Comm comm) {
  if (counts()) {
    nestbind_count(world_rank(comm, to), bytes_of(amount, type));
  }
}

/* What all functions that send begin with, and their arguments in the same order. */
#define SENT const void *data, int amount, MPI_Datatype type, int to, int tag, MPI_Comm comm
#define GIVEN data, amount, type, to, tag, comm
#define COUNTED count(amount, type, to, comm)

int MPI_Send(SENT) { return COUNTED, NEXT(MPI_Send)(GIVEN); }
int MPI_Bsend(SENT) { return COUNTED, NEXT(MPI_Bsend)(GIVEN); }
int MPI_Ssend(SENT) { return COUNTED, NEXT(MPI_Ssend)(GIVEN); }
int MPI_Rsend(SENT) { return COUNTED, NEXT(MPI_Rsend)(GIVEN); }
int MPI_Isend(SENT, MPI_Request *made) { return COUNTED, NEXT(MPI_Isend)(GIVEN, made); }
int MPI_Ibsend(SENT, MPI_Request *made) { return COUNTED, NEXT(MPI_Ibsend)(GIVEN, made); }
int MPI_Issend(SENT, MPI_Request *made) { return COUNTED, NEXT(MPI_Issend)(GIVEN, made); }
int MPI_Irsend(SENT, MPI_Request *made) { return COUNTED, NEXT(MPI_Irsend)(GIVEN, made); }

#define BOTH                                                                             \
  const void *data, int amount, MPI_Datatype type, int to, int tag, void *got, int most, \
      MPI_Datatype got_type, int from, int got_tag, MPI_Comm comm
#define BOTH_GIVEN data, amount, type, to, tag, got, most, got_type, from, got_tag, comm
#define REPLACED \
  void *data, int amount, MPI_Datatype type, int to, int tag, int from, int got_tag, MPI_Comm comm
#define REPLACED_GIVEN data, amount, type, to, tag, from, got_tag, comm

int MPI_Sendrecv(BOTH, MPI_Status *status) {
  return COUNTED, NEXT(MPI_Sendrecv)(BOTH_GIVEN, status);
}
int MPI_Sendrecv_replace(REPLACED, MPI_Status *status) {
  return COUNTED, NEXT(MPI_Sendrecv_replace)(REPLACED_GIVEN, status);
}
#if MPI_VERSION >= 4
int MPI_Isendrecv(BOTH, MPI_Request *made) {
  return COUNTED, NEXT(MPI_Isendrecv)(BOTH_GIVEN, made);
}
int MPI_Isendrecv_replace(REPLACED, MPI_Request *made) {
  return COUNTED, NEXT(MPI_Isendrecv_replace)(REPLACED_GIVEN, made);
}
#endif

/* Persistent requests. A message is counted when it is started. A request's number is used again
 * after MPI_Request_free, which removes the request here, too. */
struct Persistent {
  MPI_Request request;
  int to; /* in MPI_COMM_WORLD */
  unsigned long bytes;
  struct Persistent *next;
};
enum { kLists = 256 };
static struct Persistent *g_persistent[kLists];
static pthread_mutex_t g_lock = PTHREAD_MUTEX_INITIALIZER;

static struct Persistent **find_persistent(MPI_Request request) {
  struct Persistent **at = &g_persistent[(unsigned)request % kLists];
  while (*at != NULL && (*at)->request != request) {
    at = &(*at)->next;
  }
  return at;
}

static int remember(int result, int amount, MPI_Datatype type, int to, MPI_Comm comm,
                    const MPI_Request *request) {
  struct Persistent *made = result == MPI_SUCCESS && counts() ? malloc(sizeof *made) : NULL;
  if (made != NULL) {
    *made = (struct Persistent){*request, world_rank(comm, to), bytes_of(amount, type), NULL};
    pthread_mutex_lock(&g_lock);
    struct Persistent **list = &g_persistent[(unsigned)*request % kLists];
    made->next = *list;
    *list = made;
    pthread_mutex_unlock(&g_lock);
  }
  return result;
}

static void count_started(MPI_Request request) {
  pthread_mutex_lock(&g_lock);
  const struct Persistent *one = *find_persistent(request);
  if (one != NULL) {
    nestbind_count(one->to, one->bytes);
  }
  pthread_mutex_unlock(&g_lock);
}

#define PERSISTENT(name)                                                          \
  int MPI_##name(SENT, MPI_Request *made) {                                       \
    return remember(NEXT(MPI_##name)(GIVEN, made), amount, type, to, comm, made); \
  }
PERSISTENT(Send_init)
PERSISTENT(Bsend_init)
PERSISTENT(Ssend_init)
PERSISTENT(Rsend_init)
int MPI_Start(MPI_Request *request) {
  if (counts() && request != NULL) {
    count_started(*request);
  }
  return NEXT(MPI_Start)(request);
}
int MPI_Startall(int amount, MPI_Request requests[]) {
  for (int i = 0; i < amount && counts(); ++i) {
    count_started(requests[i]);
  }
  return NEXT(MPI_Startall)(amount, requests);
}
int MPI_Request_free(MPI_Request *request) {
  if (counts() && request != NULL) {
    pthread_mutex_lock(&g_lock);
    struct Persistent **at = find_persistent(*request);
    struct Persistent *one = *at;
    if (one != NULL) {
      *at = one->next;
    }
    pthread_mutex_unlock(&g_lock);
    free(one);
  }
  return NEXT(MPI_Request_free)(request);
}

/* Neighbourhood collectives: each neighbour gets one message. */
static void count_alike(int amount, MPI_Datatype type, MPI_Comm comm) {
  const struct Peers *peers = counts() ? nestbind_find_peers(comm) : NULL;
  for (int i = 0; peers != NULL && i < peers->neighbours; ++i) {
    nestbind_count(peers->neighbour[i], bytes_of(amount, type));
  }
}
/* types: null if all have `type`. */
static void count_each(const int amounts[], MPI_Datatype type, const MPI_Datatype types[],
                       MPI_Comm comm) {
  const struct Peers *peers = counts() ? nestbind_find_peers(comm) : NULL;
  for (int i = 0; peers != NULL && i < peers->neighbours; ++i) {
    nestbind_count(peers->neighbour[i], bytes_of(amounts[i], types == NULL ? type : types[i]));
  }
}

#define ALIKE                                                                                  \
  const void *data, int amount, MPI_Datatype type, void *got, int most, MPI_Datatype got_type, \
      MPI_Comm comm
#define ALIKE_GIVEN data, amount, type, got, most, got_type, comm
#define GATHERED                                                                \
  const void *data, int amount, MPI_Datatype type, void *got, const int most[], \
      const int places[], MPI_Datatype got_type, MPI_Comm comm
#define GATHERED_GIVEN data, amount, type, got, most, places, got_type, comm
#define EACH                                                                               \
  const void *data, const int amounts[], const int places[], MPI_Datatype type, void *got, \
      const int most[], const int got_places[], MPI_Datatype got_type, MPI_Comm comm
#define EACH_GIVEN data, amounts, places, type, got, most, got_places, got_type, comm
#define TYPES                                                                                   \
  const void *data, const int amounts[], const MPI_Aint places[], const MPI_Datatype types[],   \
      void *got, const int most[], const MPI_Aint got_places[], const MPI_Datatype got_types[], \
      MPI_Comm comm
#define TYPES_GIVEN data, amounts, places, types, got, most, got_places, got_types, comm

/* The function that waits, and the one that does not. */
#define NEIGHBOUR(name, PARAMETERS, GIVEN, COUNTED)                                         \
  int MPI_Neighbor_##name(PARAMETERS) { return COUNTED, NEXT(MPI_Neighbor_##name)(GIVEN); } \
  int MPI_Ineighbor_##name(PARAMETERS, MPI_Request *made) {                                 \
    return COUNTED, NEXT(MPI_Ineighbor_##name)(GIVEN, made);                                \
  }
NEIGHBOUR(allgather, ALIKE, ALIKE_GIVEN, count_alike(amount, type, comm))
NEIGHBOUR(allgatherv, GATHERED, GATHERED_GIVEN, count_alike(amount, type, comm))
NEIGHBOUR(alltoall, ALIKE, ALIKE_GIVEN, count_alike(amount, type, comm))
NEIGHBOUR(alltoallv, EACH, EACH_GIVEN, count_each(amounts, type, NULL, comm))
NEIGHBOUR(alltoallw, TYPES, TYPES_GIVEN, count_each(amounts, MPI_DATATYPE_NULL, types, comm))
