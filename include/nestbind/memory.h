/* SPDX-License-Identifier: BSD-3-Clause */
/* nestbind: reports where the pages of an array are, and moves the pages to the threads that use
 * them.
 *
 * The methods are those of M. Dashti and others, "Traffic Management: A Holistic Approach to Memory
 * Placement on NUMA Systems", ASPLOS 2013 (relocation, interleaving, replication). Here the program
 * chooses the method, and nestbind does not sample accesses. nestbind-memory(3) has the details.
 *
 * All functions work with or without a specification. They may be called at any time, from any
 * thread, but not in a signal handler. Each function that returns an int returns an error number of
 * nestbind.h. errno stays unchanged. The contents of a range never change, and other threads may
 * use the range during the call. On a machine with one NUMA node all functions succeed, and move
 * nothing.
 *
 * A range begins at `p`, and has `bytes` bytes. The range may be empty, and need not be aligned.
 * The functions move and count all pages that contain a byte of the range. A huge page moves as a
 * whole. */
#ifndef NESTBIND_MEMORY_H
#define NESTBIND_MEMORY_H

#include <nestbind/nestbind.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a range is spread. */
enum nestbind_memory_how {
  NESTBIND_BLOCK = 1,      /* part i to the node of member i of a team; T parts for T members */
  NESTBIND_INTERLEAVE = 2, /* evenly over the nodes of the calling thread's partition */
  NESTBIND_LOCAL = 3       /* all pages to the calling thread's node */
};

/* Moves the pages of a range to their nodes. A page that was never touched is created on its node
 * at its first touch. After the call, the kernel's automatic balancing does not move the range.
 *
 * NESTBIND_BLOCK: the range has T parts with equal numbers of bytes, like the parts of a static
 * loop without a chunk size. T is the size of the calling thread's present team, if the team has
 * two or more members. Otherwise T is the size of the team that the thread forks next. If the
 * specification in force gives member i a place, part i goes to the node of this place. Otherwise
 * the processors that the process may use are divided into T equal sets, in their order. Part i
 * then goes to the node of set i. If set i has processors of several nodes, part i is divided among
 * these nodes, in order. A node's share is proportional to its number of processors in the set.
 * NESTBIND_INTERLEAVE: the plan gives the calling thread a set of processors for itself and its
 * inner teams. This set is the partition. If the thread has no place, the partition is the set of
 * processors that the process may use.
 *
 * how: one of enum nestbind_memory_how.
 * Returns NESTBIND_OK: the kernel reports that each existing page is on its node.
 * NESTBIND_BAD_ARGUMENT: p is null, the range exceeds the address space, or `how` is unknown.
 * NESTBIND_NOT_MAPPED: some of the range is not memory of this process. Nothing has changed.
 * NESTBIND_PARTLY_PLACED: some pages are on other nodes. There are four possible reasons: the node
 * has no free memory; the process is not allowed to use the node (then the nearest node is used);
 * other processes share the pages; the pages are pinned. nestbind_memory_where counts the pages on
 * each node.
 * NESTBIND_NOT_PERMITTED: a filter of system calls forbids the process to move pages.
 * NESTBIND_NO_MEMORY; NESTBIND_NO_MODULE; NESTBIND_TURNED_OFF. */
int nestbind_memory_spread(void *p, size_t bytes, int how);

/* Copies of a range, one in the memory of each node. Only nestbind_memory_local uses the members.
 */
struct nestbind_replicas {
  long processor_at;   /* the kernel keeps the number of each thread's processor at this offset from
                          the thread pointer; 0 if the kernel does not keep the number */
  unsigned processors; /* number of processors of the machine, and of entries in copy */
  const void **copy;   /* for each processor, the copy on its node */
};

/* Makes read-only copies of a range, one on each node that the process may use. Later writes to the
 * range do not change the copies.
 *
 * replicas: written only if the result is NESTBIND_OK or NESTBIND_PARTLY_PLACED.
 * Returns NESTBIND_OK, or an error:
 * NESTBIND_BAD_ARGUMENT: a pointer is null, the range is empty, or it exceeds the address space.
 * NESTBIND_NOT_MAPPED: the process cannot read the whole range.
 * NESTBIND_PARTLY_PLACED: some pages of the copies are on a wrong node.
 * NESTBIND_NOT_PERMITTED: the process is not allowed to choose nodes for memory.
 * NESTBIND_NO_MEMORY; NESTBIND_NO_MODULE; NESTBIND_TURNED_OFF. */
int nestbind_memory_replicate(const void *p, size_t bytes, struct nestbind_replicas **replicas);

/* Does the same as the inline function nestbind_memory_local, but is not inline (for Fortran). */
const void *nestbind_memory_copy(const struct nestbind_replicas *replicas);

/* Frees all copies. replicas: from nestbind_memory_replicate, or null.
 * Returns NESTBIND_OK. */
int nestbind_memory_release(struct nestbind_replicas *replicas);

/* Asks the kernel how many pages of a range are on each node. If a page was never touched, or was
 * only read and never written, it is on no node. The unit is the machine's small page: a huge page
 * of 2 MiB counts as 512 pages.
 *
 * pages_on_node: room for `capacity` numbers, indexed by the kernel's number of the node. All
 * numbers are written, unless the error is NESTBIND_BAD_ARGUMENT. May be null if capacity is 0.
 * Returns NESTBIND_OK, or an error:
 * NESTBIND_BAD_ARGUMENT: p or pages_on_node is null, capacity is negative, or the range exceeds the
 * address space.
 * NESTBIND_PARTLY_PLACED: some pages are on nodes with numbers >= capacity.
 * NESTBIND_NOT_MAPPED; NESTBIND_NOT_PERMITTED; NESTBIND_NO_MEMORY; NESTBIND_NO_MODULE;
 * NESTBIND_TURNED_OFF. */
int nestbind_memory_where(const void *p, size_t bytes, size_t *pages_on_node, int capacity);

/* Returns the copy on the calling thread's node. On Linux 4.18 or later with glibc 2.35 or later,
 * the function reads two words and makes no call. If the kernel moves the thread to another node
 * during the call, the thread gets the copy of its former node. This copy is valid, but remote.
 *
 * replicas: from nestbind_memory_replicate, not released.
 * Returns the address of the copy of `p`; never null. */
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
    if (processor < replicas->processors) { /* false if the kernel has no number for this thread */
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
