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

/* The largest number of levels in a specification, and in a path of nestbind_place. */
#define NESTBIND_MAX_LEVELS 64

/* The largest number of threads in a specification, at one level and in total. */
#define NESTBIND_MAX_THREADS 1048576

/* The exit status of a process that NESTBIND_STRICT=1 stops before main. */
#define NESTBIND_STRICT_STATUS 78

/* The errors of all interfaces: C, Fortran, the environment and the command. */
enum nestbind_error {
  NESTBIND_OK = 0,
  NESTBIND_EMPTY = 1,             /* the specification has no level */
  NESTBIND_BAD_SIZE = 2,          /* a level does not begin with a team size */
  NESTBIND_SIZE_NOT_POSITIVE = 3, /* a team size is zero or negative */
  NESTBIND_SIZE_TOO_LARGE = 4,    /* a size, or the product of sizes, is > NESTBIND_MAX_THREADS */
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
  NESTBIND_NOT_MAPPED = 19,       /* some of a range is not memory of this process */
  NESTBIND_NOT_PERMITTED = 20,    /* the process is not allowed to find or move pages */
  NESTBIND_NO_MODULE = 21,        /* libnestbind-memory.so could not be loaded */
  NESTBIND_TOO_LATE = 22,  /* libnestbind was loaded after the OpenMP runtime or the C library */
  NESTBIND_TURNED_OFF = 23 /* turned off by the site for all users: nestbind.conf(5) */
};

/* Returns the meaning of an error number: one line of English without a final period. The result is
 * never null. */
const char *nestbind_strerror(int error);

/* Puts a specification in force. If the call is outside parallel regions, the specification is in
 * force for the whole process, from the calling thread's next fork on. If the call is inside a
 * region, the specification is in force for teams that the calling thread forks later in that
 * region. The call also sets team sizes, like omp_set_num_threads.
 *
 * text: a specification, nul-terminated; it is copied. The word "off" ends binding: from the next
 * fork on, threads have the process's mask, and the runtime has its former sizes.
 * Returns NESTBIND_OK, or an error. If there is an error, nothing has changed. If the text has a
 * fault, a message on the standard error output shows its position.
 * NESTBIND_TOO_LATE: libnestbind was loaded after the OpenMP runtime or the C library. There are
 * three possible reasons: only a library, not the program, is linked with libnestbind; the program
 * is linked with GCC's runtime before libnestbind; the program contains GCC's runtime (libgomp.a).
 * NESTBIND_TURNED_OFF: the site has turned everything off. */
int omp_set_nesting_info(const char *text);

/* Writes the specification in force for the calling thread, in canonical form, nul-terminated and
 * cut to `size` bytes. If binding was ended by "off", the text is "off".
 *
 * buffer: at least `size` bytes; may be null if size is 0.
 * Returns the length of the whole text without the nul; 0 if no specification was ever set. */
size_t omp_get_nesting_info(char *buffer, size_t size);

/* Puts a schedule in force for loops with schedule(runtime), and for the loops that the schedule's
 * option "loops" names. If the call is outside parallel regions, the schedule is in force for the
 * whole process, from the calling thread's next fork on. If the call is inside a region, the
 * schedule is in force for teams that the calling thread forks later in that region. Loops of the
 * present region do not change. The call wins over NESTBIND_SCHEDULE, and over an earlier
 * omp_set_schedule of the calling thread. A later omp_set_schedule wins over the call.
 *
 * text: a schedule, such as "hybrid,f=0.75,chunk=8", nul-terminated; it is copied. With the word
 * "native" the runtime shares all loops.
 * Returns NESTBIND_OK, or an error. If there is an error, nothing has changed.
 * NESTBIND_BAD_ARGUMENT: text is null. NESTBIND_BAD_SCHEDULE, NESTBIND_BAD_OPTION,
 * NESTBIND_BAD_VALUE, NESTBIND_BAD_SEPARATOR: the text has a fault; a message on the standard error
 * output shows its position. NESTBIND_NOT_PLACED: the runtime has given the present team an
 * unexpected size, so nestbind does not know the team. NESTBIND_NO_MEMORY. NESTBIND_TURNED_OFF: the
 * site has turned schedules off. */
int nestbind_set_schedule(const char *text);

/* Writes the schedule of the calling thread's next regions, nul-terminated and cut to `size` bytes.
 * The text is in canonical form: it has only the options that differ from the defaults. "native"
 * means that the runtime shares the loops.
 *
 * buffer: at least `size` bytes; may be null if size is 0.
 * Returns the length of the whole text without the nul. */
size_t nestbind_get_schedule(char *buffer, size_t size);

/* Where a thread is. */
struct nestbind_place {
  int level;                     /* number of enclosing parallel regions */
  int path[NESTBIND_MAX_LEVELS]; /* `level` thread numbers, the outermost team first; numbers of
                                    levels beyond NESTBIND_MAX_LEVELS are left out */
  int pinned;                    /* 1: bound to one slot. 0: the thread may run in an area, because
                                    its level is deeper than the specification; or is not bound
                                    yet, because it was in no team of two or more threads */
  int core;                      /* logical number, as in lstopo; -1: none */
  int package;                   /* logical number, as in lstopo; -1: none */
  int numa;         /* the kernel's number, as in numactl and nestbind/memory.h; -1: none */
  int numa_logical; /* the logical number of the node in `numa` */
};

/* Returns the planned place of the calling thread.
 *
 * place: written only if the result is NESTBIND_OK.
 * Returns NESTBIND_OK; NESTBIND_BAD_ARGUMENT if place is null; NESTBIND_NOT_PLACED outside
 * parallel regions, without a specification, and in teams that are not planned. */
int nestbind_get_place(struct nestbind_place *place);

/* Writes the processors to which the kernel has bound the calling thread: the operating system's
 * numbers, ascending. In a dry run (NESTBIND_MACHINE) these are the planned processors.
 *
 * cpus: room for `capacity` numbers; may be null if capacity is 0.
 * Returns the number of processors, even if it exceeds the capacity; -1 if they cannot be read. */
int nestbind_get_cpus(int *cpus, int capacity);

#ifdef __cplusplus
}
#endif
#endif
