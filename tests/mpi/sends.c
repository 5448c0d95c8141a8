/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends known numbers of bytes by each function, on several communicators. Each rank sends to the
 * next one.
 *
 * usage: sends all       each function once, with functions' own sizes
 *        sends self N [dup]    N messages of a rank to itself, for a count of instructions; dup: on
 * another communicator */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { kLong = 1 << 16 };
static char g_data[kLong], g_got[kLong];
static int g_rank, g_ranks, g_next, g_before;

static void receive(MPI_Comm comm, int bytes, int from) {
  MPI_Status status;
  MPI_Recv(g_got, bytes, MPI_CHAR, from, 1, comm, &status);
}

static void send_by_all(MPI_Comm comm, int next, int before) {
  MPI_Request request, got;
  MPI_Status status;
  MPI_Send(g_data, 1, MPI_CHAR, next, 1, comm), receive(comm, 1, before);
  MPI_Bsend(g_data, 2, MPI_CHAR, next, 1, comm), receive(comm, 2, before);
  MPI_Isend(g_data, 4, MPI_CHAR, next, 1, comm, &request), receive(comm, 4, before),
      MPI_Wait(&request, &status);
  MPI_Ibsend(g_data, 8, MPI_CHAR, next, 1, comm, &request), receive(comm, 8, before),
      MPI_Wait(&request, &status);
  MPI_Issend(g_data, 16, MPI_CHAR, next, 1, comm, &request), receive(comm, 16, before),
      MPI_Wait(&request, &status);
  MPI_Irecv(g_got, 32, MPI_CHAR, before, 1, comm, &got);
  MPI_Ssend(g_data, 32, MPI_CHAR, next, 1, comm), MPI_Wait(&got, &status);
  MPI_Sendrecv(g_data, 64, MPI_CHAR, next, 1, g_got, 64, MPI_CHAR, before, 1, comm, &status);
  MPI_Sendrecv_replace(g_data, 128, MPI_CHAR, next, 1, before, 1, comm, &status);
  MPI_Send(g_data, 5, MPI_CHAR, MPI_PROC_NULL, 1, comm);
}

static void *send_in_thread(void *tag) {
  for (int i = 0; i < 100; ++i) {
    MPI_Status status;
    MPI_Sendrecv(g_data, 10, MPI_CHAR, g_next, *(int *)tag, g_got, 10, MPI_CHAR, g_before,
                 *(int *)tag, MPI_COMM_WORLD, &status);
  }
  return NULL;
}

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &g_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &g_ranks);
  g_next = (g_rank + 1) % g_ranks;
  g_before = (g_rank + g_ranks - 1) % g_ranks;
  MPI_Status status;
  if (strcmp(argv[1], "self") == 0) {
    MPI_Request request;
    MPI_Comm dup;
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    for (int i = atoi(argv[2]); i > 0; --i) {
      const MPI_Comm comm = argc > 3 ? dup : MPI_COMM_WORLD;
      MPI_Isend(g_data, 8, MPI_CHAR, g_rank, 1, comm, &request);
      receive(comm, 8, g_rank);
      MPI_Wait(&request, &status);
    }
    MPI_Finalize();
    return 0;
  }
  static char room[1 << 16];
  MPI_Buffer_attach(room, sizeof room);
  send_by_all(MPI_COMM_WORLD, g_next, g_before); /* 255 bytes, 8 messages */
  /* A communicator in reversed order: the next rank is the one before. It is freed, and another
   * gets its number. */
  for (int i = 0; i < 3; ++i) {
    MPI_Comm other;
    const int is_reversed = i != 1;
    MPI_Comm_split(MPI_COMM_WORLD, 0, is_reversed ? -g_rank : g_rank, &other);
    const int own = is_reversed ? g_ranks - 1 - g_rank : g_rank;
    MPI_Sendrecv(g_data, 1000, MPI_CHAR, (own + 1) % g_ranks, 1, g_got, 1000, MPI_CHAR,
                 (own + g_ranks - 1) % g_ranks, 1, other, &status);
    MPI_Comm_free(&other);
  }
  /* A type that is not basic: 3 ints. */
  MPI_Datatype three;
  MPI_Type_contiguous(3, MPI_INT, &three);
  MPI_Type_commit(&three);
  MPI_Sendrecv(g_data, 2, three, g_next, 1, g_got, 2, three, g_before, 1, MPI_COMM_WORLD,
               &status); /* 24 bytes */
  MPI_Type_free(&three);
  /* A persistent request, started three times, and a receive that may get its number. */
  MPI_Request request, got;
  MPI_Send_init(g_data, 100, MPI_CHAR, g_next, 1, MPI_COMM_WORLD, &request);
  for (int i = 0; i < 3; ++i) {
    i == 0 ? MPI_Startall(1, &request) : MPI_Start(&request);
    receive(MPI_COMM_WORLD, 100, g_before);
    MPI_Wait(&request, &status);
  }
  MPI_Request_free(&request);
  MPI_Recv_init(g_got, 7, MPI_CHAR, g_before, 1, MPI_COMM_WORLD, &got);
  MPI_Start(&got);
  MPI_Send(g_data, 7, MPI_CHAR, g_next, 1, MPI_COMM_WORLD);
  MPI_Wait(&got, &status);
  MPI_Request_free(&got);
  /* Neighbourhood collectives on a ring: 2 neighbours. Each gets 11 + 13 bytes. */
  MPI_Comm ring;
  const int periodic = 1;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &g_ranks, &periodic, 0, &ring);
  MPI_Neighbor_allgather(g_data, 11, MPI_CHAR, g_got, 11, MPI_CHAR, ring);
  const int amounts[2] = {13, 13}, places[2] = {0, 13};
  MPI_Neighbor_alltoallv(g_data, amounts, places, MPI_CHAR, g_got, amounts, places, MPI_CHAR, ring);
  MPI_Comm_free(&ring);
  /* Neither neighbour is there, so nothing is sent, and the types may be null. */
  const int one = 1, not_periodic = 0, none[2] = {0, 0};
  const MPI_Datatype types[2] = {MPI_DATATYPE_NULL, MPI_DATATYPE_NULL};
  const MPI_Aint at[2] = {0, 0};
  MPI_Cart_create(MPI_COMM_SELF, 1, &one, &not_periodic, 0, &ring);
  MPI_Neighbor_alltoallw(g_data, none, at, types, g_got, none, at, types, ring);
  MPI_Comm_free(&ring);
  int tags[2] = {2, 3};
  pthread_t thread;
  if (provided == MPI_THREAD_MULTIPLE) {
    pthread_create(&thread, NULL, send_in_thread, &tags[1]);
    send_in_thread(&tags[0]); /* 200 messages, 2000 bytes with the other thread's */
    pthread_join(thread, NULL);
  }
  void *detached;
  int size;
  MPI_Buffer_detach(&detached, &size);
  MPI_Finalize();
  return 0;
}
