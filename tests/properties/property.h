/* SPDX-License-Identifier: BSD-3-Clause */
/* The type of a row in the table of properties, and functions for all rows. */
#ifndef TESTS_PROPERTIES_PROPERTY_H
#define TESTS_PROPERTIES_PROPERTY_H

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

enum { kText = 512 };

/* A property: state that the kernel, the C library or the processor has for each thread. */
struct property {
  const char *name;
  /* Changes the state of the calling thread. Returns 0 or an error number. */
  int (*set)(void);
  /* Writes the state of the calling thread as a text. The text must be the same in every run. The
   * function asks the kernel directly, not a function that nestbind interposes. */
  void (*read)(char text[kText]);
  /* The primary thread calls this before its first inner region. May be null. */
  int (*prepare)(void);
  /* An environment variable, NAME=VALUE, with which the process must start. May be null. */
  const char *environment;
  unsigned flags;
};

enum {
  /* nestbind itself sets this property, the mask. So kept workers are compared with new threads
   * under nestbind, not with threads of a process without nestbind. */
  kPlaced = 1,
  /* The thread that makes the change cannot read the change itself. */
  kSetterIsBlind = 2,
  /* The row is not run with spinning workers. A spinning thread with a higher priority would keep
   * other threads from running. A spinning worker uses processor time, which some rows read. */
  kSleeps = 4,
  /* A new thread gets the state that the process, the runtime or the program has asked for. */
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

/* Makes a system call that nestbind cannot interpose. Returns the result of the kernel: a value, or
 * a negative error number. */
long unseen(long number, ...);
pid_t thread_id(void);

/* Whether the caller is a worker of an inner region, not its primary thread. */
bool is_worker(void);

/* Returns errno if a call failed (its result is negative), otherwise 0. */
int failure(long result);

/* Writes a line of the calling thread's file `status` in /proc as "NAME=VALUE". */
void read_status(const char *name, char text[kText]);

/* In some rows one thread changes the property of another thread. This is the other thread. */
struct target {
  pid_t id;
  pthread_t thread;
};
int by_another(int (*change)(const struct target *target));

/* Returns the function of the C library itself, even if another library interposes it. */
void *library_function(const char *name);

/* Ends the process. `text` becomes the value that the worker reads after the change. */
void end_with_value(const char *text);

#endif
