/* SPDX-License-Identifier: BSD-3-Clause */
/* nestbind: where the pages of an array are, and how to bring them to the threads that use them.
 *
 * The ways are those of M. Dashti and others, "Traffic Management: A Holistic Approach to Memory
 * Placement on NUMA Systems", ASPLOS 2013 (relocation, interleaving, replication); here they are
 * asked for, and nothing is sampled. nestbind-memory(3) has the whole.
 *
 * All of them work with a specification and without one, and may be called at any time, from any
 * thread, but not in a signal handler. Each returns an error number of nestbind.h. errno stays as
 * it is. What the range contains is never changed; other threads may use it meanwhile. On a machine
 * with one NUMA node all succeed, and move nothing.
 *
 * A range is `bytes` bytes from `p` on, 0 or more, aligned or not. Memory goes by pages: what is
 * said of a range holds for every page that has a byte of it. A huge page goes as a whole. */
#ifndef NESTBIND_MEMORY_H
#define NESTBIND_MEMORY_H

#include <nestbind/nestbind.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a range is spread. */
enum nestbind_memory_how {
  NESTBIND_BLOCK = 1,      /* part i of T to the node of member i of a team of T */
  NESTBIND_INTERLEAVE = 2, /* evenly over the nodes of the caller's partition */
  NESTBIND_LOCAL = 3       /* all to the caller's node */
};

/* Brings the pages of a range to their nodes, and those that have never been touched when they are.
 * They stay there: the kernel's automatic balancing leaves them alone from then on.
 *
 * NESTBIND_BLOCK: T equal parts by bytes, as a static loop over the array without a chunk size
 * touches them. T is the size of the calling thread's present team, if that has two or more
 * members, or else of the team that it forks next. The node of member i is that of its place, where
 * the specification in force has one for it; otherwise that of part i of T equal parts of the
 * processors that the process may use, in their order. Where these are of several nodes, the part
 * is divided among them, in order, by how many of its processors each has.
 * NESTBIND_INTERLEAVE: the caller's partition are the processors that the plan has for the calling
 * thread and the teams that it forks; without a place, those that the process may use.
 *
 * how: one of enum nestbind_memory_how.
 * Returns NESTBIND_OK: every page that exists is where it should be, as the kernel tells.
 * NESTBIND_BAD_ARGUMENT: p is null, the range goes beyond the end of the address space, or `how` is
 * none of these. NESTBIND_NOT_MAPPED: some of the range is no memory of this process; then nothing
 * has changed. NESTBIND_PARTLY_PLACED: some pages are elsewhere: their node has no memory left, or
 * may not be used by the process (then the nearest is taken), other processes share them, or
 * something holds them fast; nestbind_memory_where tells how many are where.
 * NESTBIND_NOT_PERMITTED: the process may not move pages (a filter of system calls forbids it).
 * NESTBIND_NO_MEMORY; NESTBIND_NO_MODULE; NESTBIND_TURNED_OFF. */
int nestbind_memory_spread(void *p, size_t bytes, int how);

/* Copies of a range, one in the memory of each node. Its members are for nestbind_memory_local
 * alone. */
struct nestbind_replicas {
  long processor_at;   /* where the kernel keeps a thread's processor, from its thread pointer on;
                          0: it does not */
  unsigned processors; /* of the machine: entries of copy */
  const void **copy;   /* for each processor, that of its node */
};

/* Makes read-only copies of a range as it is now, one on each node that the process may use. What
 * is written to the range later is not in them.
 *
 * replicas: written only on success and on NESTBIND_PARTLY_PLACED.
 * Returns NESTBIND_OK; NESTBIND_BAD_ARGUMENT: a pointer is null, or the range is empty or goes
 * beyond the end of the address space; NESTBIND_NOT_MAPPED: some of the range cannot be read;
 * NESTBIND_PARTLY_PLACED: some pages of copies are on another node than theirs;
 * NESTBIND_NOT_PERMITTED: where memory comes from cannot be asked for; NESTBIND_NO_MEMORY;
 * NESTBIND_NO_MODULE; NESTBIND_TURNED_OFF. */
int nestbind_memory_replicate(const void *p, size_t bytes, struct nestbind_replicas **replicas);

/* As nestbind_memory_local, by a call: for Fortran, and where the kernel keeps no processor. */
const void *nestbind_memory_copy(const struct nestbind_replicas *replicas);

/* Frees all copies. replicas: of nestbind_memory_replicate, or null.
 * Returns NESTBIND_OK. */
int nestbind_memory_release(struct nestbind_replicas *replicas);

/* Counts the pages of a range on each node, as the kernel tells. Pages that have never been touched
 * (or only read, where they are zero) are on none. A page is a small one of the machine's: a huge
 * page of 2 MiB is 512.
 *
 * pages_on_node: room for `capacity` numbers, by the kernel's number of the node; all are written,
 * unless the error is NESTBIND_BAD_ARGUMENT. May be null if capacity is 0.
 * Returns NESTBIND_OK; NESTBIND_BAD_ARGUMENT: p or pages_on_node is null, capacity is negative, or
 * the range goes beyond the end of the address space; NESTBIND_NOT_MAPPED; NESTBIND_PARTLY_PLACED:
 * there are pages on nodes that there is no room for; NESTBIND_NOT_PERMITTED; NESTBIND_NO_MEMORY;
 * NESTBIND_NO_MODULE; NESTBIND_TURNED_OFF. */
int nestbind_memory_where(const void *p, size_t bytes, size_t *pages_on_node, int capacity);

/* The copy of the calling thread's node: two loads, and no call where the kernel (Linux 4.18) and
 * the C library (glibc 2.35) keep each thread's processor. A thread that the kernel moves to
 * another node meanwhile has that of its former one, which is as good, but farther away.
 *
 * replicas: of nestbind_memory_replicate, not yet released.
 * Returns where the copy of `p` is; not null. */
#if defined(__GNUC__)
static __inline__ /* also in C90 */
#else
static inline
#endif
    const void *
    nestbind_memory_local(const struct nestbind_replicas *replicas) {
#if (defined(__x86_64__) || defined(__aarch64__)) && defined(__GNUC__)
  if (replicas->processor_at != 0) {
    const char *thread;
    unsigned processor;
#if defined(__x86_64__)
    __asm__("mov %%fs:0, %0" : "=r"(thread));
#else
    __asm__("mrs %0, tpidr_el0" : "=r"(thread));
#endif
    processor = *(const volatile unsigned *)(thread + replicas->processor_at);
    if (processor < replicas->processors) { /* not where its registration has failed */
      return replicas->copy[processor];
    }
  }
#endif
  return nestbind_memory_copy(replicas);
}

#ifdef __cplusplus
}
#endif
#endif
