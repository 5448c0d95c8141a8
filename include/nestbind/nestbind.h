/* SPDX-License-Identifier: BSD-3-Clause */
/* nestbind: places the threads of nested OpenMP teams.
 *
 * The method is that of D. Schmidl, C. Terboven, D. an Mey and M. Buecker, "Binding Nested OpenMP
 * Programs on Hierarchical Memory Architectures", IWOMP 2010. nestbind-spec(7) describes
 * specifications, and nestbind-loops(7) schedules. All functions may be called at any time, from
 * any thread. */
#ifndef NESTBIND_NESTBIND_H
#define NESTBIND_NESTBIND_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Levels that a specification, and a path in nestbind_place, can have. */
#define NESTBIND_MAX_LEVELS 64

/* Threads that a specification can ask for, at one level and in all. */
#define NESTBIND_MAX_THREADS 1048576

/* The exit status of a process that NESTBIND_STRICT=1 stops before main. */
#define NESTBIND_STRICT_STATUS 78

/* Every error of every interface: C, Fortran, the environment and the command. */
enum nestbind_error {
  NESTBIND_OK = 0,
  NESTBIND_EMPTY = 1,             /* the specification has no level */
  NESTBIND_BAD_SIZE = 2,          /* a level does not begin with a team size */
  NESTBIND_SIZE_NOT_POSITIVE = 3, /* a team size is zero or negative */
  NESTBIND_SIZE_TOO_LARGE = 4,    /* a team size, or the product of all, exceeds the maximum */
  NESTBIND_BAD_STRATEGY = 5,      /* a team size is not followed by a strategy */
  NESTBIND_DOMAIN_ON_PLAIN = 6,   /* "@" after scatter or compact */
  NESTBIND_BAD_DOMAIN = 7,        /* "@" is not followed by a domain */
  NESTBIND_BAD_SEPARATOR = 8,     /* something other than a comma after a size or a level */
  NESTBIND_TOO_MANY_LEVELS = 9,   /* more than NESTBIND_MAX_LEVELS */
  NESTBIND_BAD_ARGUMENT = 10,     /* a null pointer, or an impossible number */
  NESTBIND_NO_MACHINE = 11,       /* the machine could not be read */
  NESTBIND_NO_PLANNER = 12,       /* libnestbind-planner.so could not be loaded */
  NESTBIND_NO_MEMORY = 13,        /* out of memory */
  NESTBIND_NOT_PLACED = 14,       /* the calling thread has no place */
  NESTBIND_BAD_SCHEDULE = 15,     /* a schedule does not begin with a schedule's name */
  NESTBIND_BAD_OPTION = 16,       /* a schedule's option is unknown, missing or given twice */
  NESTBIND_BAD_VALUE = 17,        /* a schedule's option has an impossible value */
  NESTBIND_PARTLY_PLACED = 18,    /* some pages of memory are not on their node */
  NESTBIND_NOT_MAPPED = 19,       /* some of a range is no memory of this process */
  NESTBIND_NOT_PERMITTED = 20,    /* the process may not find or move pages of memory */
  NESTBIND_NO_MODULE = 21,        /* libnestbind-memory.so could not be loaded */
  NESTBIND_TOO_LATE = 22,  /* libnestbind was loaded after the OpenMP runtime or the C library */
  NESTBIND_TURNED_OFF = 23 /* the site has turned this off for everybody: nestbind.conf(5) */
};

/* What an error number means, in one line of English without a final period; never null. */
const char *nestbind_strerror(int error);

/* Puts a specification in force. Outside parallel regions it holds for the process, from the
 * caller's next fork on. Inside a region it holds for the teams that the calling thread forks from
 * now on, until that region ends. Team sizes are set as if by omp_set_num_threads.
 *
 * text: a specification, nul-terminated; it is copied. The word "off" ends binding: from the next
 * fork on, threads have the process's mask, and the runtime its former sizes.
 * Returns NESTBIND_OK, or an error; then nothing has changed. A fault in the text is also reported
 * on the standard error output, with its position. NESTBIND_TOO_LATE: only a library brings
 * libnestbind into the process, or the program is linked with GCC's runtime before libnestbind, or
 * contains that runtime (libgomp.a). NESTBIND_TURNED_OFF: the site has turned everything off. */
int omp_set_nesting_info(const char *text);

/* Writes the specification in force for the calling thread, in canonical form, nul-terminated and
 * cut to `size` bytes.
 *
 * buffer: at least `size` bytes; may be null if size is 0.
 * Returns the length of the whole text without the nul; 0 if nothing was ever specified. The text
 * is "off" after that word. */
size_t omp_get_nesting_info(char *buffer, size_t size);

/* Puts a schedule in force for loops with schedule(runtime), and for those of the schedule's option
 * "loops". Outside parallel regions it holds for the process, from the caller's next fork on.
 * Inside a region it holds for the teams that the calling thread forks from now on, until that
 * region ends. Loops of the present region do not change. It wins over NESTBIND_SCHEDULE, and over
 * an earlier omp_set_schedule of the caller; a later omp_set_schedule wins over it.
 *
 * text: a schedule, such as "hybrid,f=0.75,chunk=8", nul-terminated; it is copied. The word
 * "native" leaves all loops to the runtime.
 * Returns NESTBIND_OK, or an error; then nothing has changed. NESTBIND_BAD_ARGUMENT: text is null.
 * NESTBIND_BAD_SCHEDULE, NESTBIND_BAD_OPTION, NESTBIND_BAD_VALUE, NESTBIND_BAD_SEPARATOR: a fault
 * in the text, which is also reported on the standard error output, with its position.
 * NESTBIND_NOT_PLACED: the present team is not known, since the runtime has given it an unexpected
 * size. NESTBIND_NO_MEMORY. NESTBIND_TURNED_OFF: the site has turned schedules off. */
int nestbind_set_schedule(const char *text);

/* Writes the schedule of the calling thread's next regions, in canonical form (only what differs
 * from the defaults), nul-terminated and cut to `size` bytes. "native": the runtime shares their
 * loops.
 *
 * buffer: at least `size` bytes; may be null if size is 0.
 * Returns the length of the whole text without the nul. */
size_t nestbind_get_schedule(char *buffer, size_t size);

/* Where a thread is. */
struct nestbind_place {
  int level;                     /* number of enclosing parallel regions, and of numbers in path */
  int path[NESTBIND_MAX_LEVELS]; /* thread numbers, outermost team first; deeper ones left out */
  int pinned;                    /* 1: to one slot; 0: to an area, beyond the specification; or
                                    unbound, since no team of two or more was forked yet */
  int core;                      /* the machine's own number (logical, as in lstopo); -1: none */
  int package;                   /* as core */
  int numa;                      /* as core */
};

/* The place of the calling thread, as planned.
 *
 * place: written only on success.
 * Returns NESTBIND_OK; NESTBIND_BAD_ARGUMENT if place is null; NESTBIND_NOT_PLACED outside
 * parallel regions, without a specification, and in teams that are not planned. */
int nestbind_get_place(struct nestbind_place *place);

/* The processors that the calling thread is bound to, as the kernel (with NESTBIND_MACHINE: the
 * recorder) reports: the operating system's numbers, ascending.
 *
 * cpus: room for `capacity` numbers; may be null if capacity is 0.
 * Returns their number, even if it exceeds the capacity; -1: they cannot be read. */
int nestbind_get_cpus(int *cpus, int capacity);

#ifdef __cplusplus
}
#endif
#endif
