/* SPDX-License-Identifier: BSD-3-Clause */
/* What a row of the table is, and what the rows have in common. */
#ifndef TESTS_PROPERTIES_PROPERTY_H
#define TESTS_PROPERTIES_PROPERTY_H

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

enum { kText = 512 };

/* Something that the kernel, the C library or the processor keeps for each thread. */
struct property {
  const char *name;
  /* Changes it, for the calling thread. Returns 0 or an error's number. */
  int (*set)(void);
  /* The calling thread's, as a text that does not differ from run to run. Calls nothing that could
   * be taken for a change: the kernel is asked without the C library where that has a function. */
  void (*read)(char text[kText]);
  /* By the master, before its first inner region; may be null. */
  int (*prepare)(void);
  /* NAME=VALUE that the process is started with; may be null. */
  const char *environment;
  unsigned flags;
};

enum {
  /* Where a thread is bound is what nestbind changes: kept workers are compared with its own new
   * ones, not with those of a process without it. */
  kPlaced = 1,
  /* What the thread that sets it reads behind that tells nothing. */
  kSetterIsBlind = 2,
  /* Not where waiting threads spin: one with a higher priority would keep another from running, and
   * the time that a worker spins is its own. */
  kSleeps = 4,
  /* What a new thread has is what the process, the runtime or the program has asked for. */
  kAsked = 8
};

/* Each ends with a row without a name. */
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

/* A system call that nobody sees. Returns its value, or an error's number, negative. */
long unseen(long number, ...);
pid_t thread_id(void);

/* Whether an inner worker calls, not its master. */
bool is_worker(void);

/* 0, or errno, of a call that returns a negative number where it fails. */
int failure(long result);

/* The value of a line of the calling thread's /proc/.../status: "NAME=VALUE". */
void read_status(const char *name, char text[kText]);

/* Has another thread change the calling one. */
struct target {
  pid_t id;
  pthread_t thread;
};
int by_another(int (*change)(const struct target *target));

/* The C library's own function, in front of which nobody stands. */
void *library_function(const char *name);

/* Ends the process with this as what was read. */
void end_with_value(const char *text);

#endif
