/* SPDX-License-Identifier: BSD-3-Clause */
/* nestbind: reports where the pages of an array are, and brings them to the threads that use them.
 *
 * The methods are those of M. Dashti and others, "Traffic Management: A Holistic Approach to Memory
 * Placement on NUMA Systems", ASPLOS 2013 (relocation, interleaving, replication). Here the program
 * asks for them, and nothing is sampled. nestbind-memory(3) has the details.
 *
 * All functions work with or without a specification. They may be called at any time, from any
 * thread, but not in a signal handler. Each returns an error number of nestbind.h. errno stays
 * unchanged. The contents of a range never change; other threads may use it meanwhile. On a machine
 * with one NUMA node all functions succeed, and move nothing.
 *
 * A range is `bytes` bytes from `p` on, 0 or more, aligned or not. Memory is placed by pages: a
 * statement about a range holds for each page that contains a byte of it. A huge page moves as a
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
  NESTBIND_BLOCK = 1,      /* part i of T to the node of member i of a team of T */
  NESTBIND_INTERLEAVE = 2, /* evenly over the nodes of the caller's partition */
  NESTBIND_LOCAL = 3       /* all to the caller's node */
};

/* Brings the pages of a range to their nodes. Pages that were never touched go there when they are.
 * From then on the kernel's automatic balancing does not move these pages.
 *
 * NESTBIND_BLOCK: T parts with equal numbers of bytes, as a static loop over the array without a
 * chunk size touches them. T is the size of the calling thread's present team, if that has two or
 * more members; otherwise the size of the team that it forks next. The node of member i is that of
 * its place, if the specification in force gives it one. Otherwise the processors that the process
 * may use are divided into T equal parts, in their order, and part i gives the node. If this part
 * has processors of several nodes, the range's part is divided among them in proportion, in order.
 * NESTBIND_INTERLEAVE: the caller's partition is the processors that the plan has for the calling
 * thread and the teams that it forks. Without a place it is the processors that the process may
 * use.
 *
 * how: one of enum nestbind_memory_how.
 * Returns NESTBIND_OK: each existing page is on its node, as the kernel reports.
 * NESTBIND_BAD_ARGUMENT: p is null, the range exceeds the address space, or `how` is none of these.
 * NESTBIND_NOT_MAPPED: some of the range is no memory of this process; then nothing has changed.
 * NESTBIND_PARTLY_PLACED: some pages are elsewhere, because their node has no free memory, the
 * process may not use it (then the nearest node is used), other processes share the pages, or they
 * are pinned; nestbind_memory_where says how many are on each node. NESTBIND_NOT_PERMITTED: the
 * process may not move pages (a filter of system calls forbids it). NESTBIND_NO_MEMORY;
 * NESTBIND_NO_MODULE; NESTBIND_TURNED_OFF. */
int nestbind_memory_spread(void *p, size_t bytes, int how);

/* Copies of a range, one in the memory of each node. Only nestbind_memory_local uses its members.
 */
struct nestbind_replicas {
  long processor_at;   /* offset of a thread's processor number, which the kernel keeps, from the
                          thread pointer; 0: not kept */
  unsigned processors; /* of the machine: number of entries in copy */
  const void **copy;   /* for each processor: its node's copy */
};

/* Makes read-only copies of a range, one on each node that the process may use. Later writes to the
 * range do not change the copies.
 *
 * replicas: written only on success and on NESTBIND_PARTLY_PLACED.
 * Returns NESTBIND_OK; NESTBIND_BAD_ARGUMENT: a pointer is null, or the range is empty or exceeds
 * the address space; NESTBIND_NOT_MAPPED: some of the range cannot be read; NESTBIND_PARTLY_PLACED:
 * some pages of copies are on a wrong node; NESTBIND_NOT_PERMITTED: the process may not choose
 * nodes for memory; NESTBIND_NO_MEMORY; NESTBIND_NO_MODULE; NESTBIND_TURNED_OFF. */
int nestbind_memory_replicate(const void *p, size_t bytes, struct nestbind_replicas **replicas);

/* nestbind_memory_local as a call: for Fortran, and if the kernel does not keep the processor. */
const void *nestbind_memory_copy(const struct nestbind_replicas *replicas);

/* Frees all copies. replicas: from nestbind_memory_replicate, or null.
 * Returns NESTBIND_OK. */
int nestbind_memory_release(struct nestbind_replicas *replicas);

/* Counts the pages of a range on each node, as the kernel reports. Pages that were never touched
 * (or only read, while they are zero) are on no node. The unit is the machine's small page: a huge
 * page of 2 MiB counts as 512.
 *
 * pages_on_node: room for `capacity` numbers, indexed by the kernel's number of the node. All are
 * written, unless the error is NESTBIND_BAD_ARGUMENT. May be null if capacity is 0.
 * Returns NESTBIND_OK; NESTBIND_BAD_ARGUMENT: p or pages_on_node is null, capacity is negative, or
 * the range exceeds the address space; NESTBIND_NOT_MAPPED; NESTBIND_PARTLY_PLACED: there are pages
 * on nodes beyond the capacity; NESTBIND_NOT_PERMITTED; NESTBIND_NO_MEMORY; NESTBIND_NO_MODULE;
 * NESTBIND_TURNED_OFF. */
int nestbind_memory_where(const void *p, size_t bytes, size_t *pages_on_node, int capacity);

/* The copy of the calling thread's node. This takes two loads and no call if the kernel (Linux
 * 4.18) and the C library (glibc 2.35) keep each thread's processor. A thread that the kernel moves
 * to another node meanwhile gets its former node's copy, which is as good, but farther away.
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
    if (processor < replicas->processors) { /* false if registration has failed */
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
