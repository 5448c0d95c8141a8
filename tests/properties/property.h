/* SPDX-License-Identifier: BSD-3-Clause */
/* A row of the table, and what the rows share. */
#ifndef TESTS_PROPERTIES_PROPERTY_H
#define TESTS_PROPERTIES_PROPERTY_H

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

enum { kText = 512 };

/* State that the kernel, the C library or the processor keeps for each thread. */
struct property {
  const char *name;
  /* Changes the state of the calling thread. Returns 0 or an error number. */
  int (*set)(void);
  /* The state of the calling thread, as a text that is the same in every run. It must not call a
   * function of the C library that could count as a change: it asks the kernel directly. */
  void (*read)(char text[kText]);
  /* The master calls it before its first inner region; may be null. */
  int (*prepare)(void);
  /* NAME=VALUE for the start of the process; may be null. */
  const char *environment;
  unsigned flags;
};

enum {
  /* nestbind itself changes where a thread is bound. So kept workers are compared with new threads
   * under nestbind, not with threads of a process without it. */
  kPlaced = 1,
  /* The value that the changing thread reads after the change means nothing. */
  kSetterIsBlind = 2,
  /* Not run if waiting threads spin: a thread with a higher priority would keep another from
   * running, and a spinning worker has used processor time of its own. */
  kSleeps = 4,
  /* A new thread's state is what the process, the runtime or the program has asked for. */
  kAsked = 8
};

/* Each table ends with a row without a name. */
extern const struct property kSignalRows[];
extern const struct property kSchedulingRows[];
extern const struct property kAffinityRows[];
extern const struct property kMemoryRows[];
extern const struct property kProcessorRows[];
extern const struct property kLibraryRows[];
extern const struct property kThreadLocalRows[];
extern const struct property kStackRows[];
extern const struct property kSharedRows[];
extern const struct property kCountedRows[];

/* A system call that our library does not see. Returns its value, or a negative error number. */
long unseen(long number, ...);
pid_t thread_id(void);

/* Whether the caller is an inner worker, not its master. */
bool is_worker(void);

/* 0, or errno of a call that returns a negative number on failure. */
int failure(long result);

/* The value of a line of the calling thread's /proc/.../status: "NAME=VALUE". */
void read_status(const char *name, char text[kText]);

/* Another thread changes the calling thread. */
struct target {
  pid_t id;
  pthread_t thread;
};
int by_another(int (*change)(const struct target *target));

/* The C library's own function, without interposed ones. */
void *library_function(const char *name);

/* Ends the process; `text` is its result. */
void end_with_value(const char *text);

#endif
