/* SPDX-License-Identifier: BSD-3-Clause */
/* nestbind: the positions of a program's slots on the machine, and the distances between them.
 *
 * After TopoManager (A. Bhatele and L. Kale, "Is topology important again?", 2009), for the inside
 * of one machine. The tree and the distances are those that the plan uses. nestbind-topology(3) has
 * the details.
 *
 * A slot is a place for one thread. Slots are numbered from 0 on, in the order of the machine. They
 * are those of the specification that the calling thread's teams follow; another specification may
 * have others. Without a specification there is a slot for each core that the process may use, of
 * any kind. NESTBIND_SMT sets another number of slots for each core, and NESTBIND_CORES chooses a
 * kind of cores. With NESTBIND_MACHINE everything is about the planned machine.
 *
 * All functions may be called at any time, from any thread, but not in a signal handler. The first
 * call reads the machine, if that is not done. Later calls take no lock, except those of the last
 * two functions. errno stays unchanged. The result is -1 if an argument is wrong, or if the machine
 * cannot be read, which is also reported once on the standard error output. */
#ifndef NESTBIND_TOPOLOGY_H
#define NESTBIND_TOPOLOGY_H

#include <nestbind/nestbind.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The number of slots, or -1. */
int nestbind_topology_slots(void);

/* The sizes of the dimensions: for each kind, the largest number of objects in one object of the
 * previous kind. The kinds are boards, packages, NUMA nodes, L3 caches, cores, and slots of a core,
 * the larger ones first. A kind with only one object in each is left out. For example, the sizes
 * are 4 and 4 for four packages, each with one NUMA node of four cores.
 *
 * dims: room for `capacity` numbers; may be null if capacity is 0.
 * Returns the number of dimensions, even if it exceeds the capacity; 0 for a single slot; or -1. */
int nestbind_topology_dims(int *dims, int capacity);

/* The coordinates of a slot: for each dimension the number of its object, from 0 on, within the
 * object of the previous dimension.
 *
 * slot: in [0, nestbind_topology_slots()).
 * coordinates: as dims above.
 * Returns the number of dimensions, or -1 if there is no such slot. */
int nestbind_topology_coordinates(int slot, int *coordinates, int capacity);

/* The slot with `count` coordinates, one for each dimension.
 *
 * Returns -1 if there is none. Not all coordinates have a slot if objects are not alike, or the
 * process may not use some of them. */
int nestbind_topology_slot(const int *coordinates, int count);

/* Hops of the interconnect between the NUMA nodes of two slots: 0 in one node, 1 to the nearest
 * nodes. The hops are the length of the shortest way over links. Each node has a link to all nodes
 * that are nearest to it by the machine's distances. If parts of the machine then have no way to
 * each other, nearest nodes of different parts get links, each of which counts one hop more than
 * the links inside its parts. If the machine reports no distances, any other node is one hop away.
 *
 * The same in both directions, and never more than over a third slot. Returns -1 if there is no
 * such slot. */
int nestbind_topology_hops(int a, int b);

/* Levels up the tree of the machine to the smallest object that contains both slots: 0 for the same
 * slot, 1 for neighbours. Objects with the same slots are one level. If parts differ in depth, the
 * deepest counts. Returns -1 if there is no such slot. */
int nestbind_topology_levels(int a, int b);

/* The distance from one slot to the memory of another slot's NUMA node. The unit is nanoseconds if
 * these were measured and are to be used (NESTBIND_MACHINE_DISTANCES=probed); otherwise the
 * firmware's units, in which a node's own memory usually has 10; or levels, if the machine reports
 * no distances. Returns -1 if there is no such slot. */
double nestbind_topology_distance(int from, int to);

/* The NUMA factor: the time of a read by node `from` from the memory of node `to`, over that from
 * its own memory, by the distances above; 1 for the same node.
 *
 * from, to: the machine's own numbers, as in nestbind_place.
 * Returns -1 if there is no such node, or distances are not known. */
double nestbind_topology_numa_factor(int from, int to);

/* Sorts slots by distance from `root`, then by levels, then by position in `slots`.
 *
 * slots: `count` slots; the array does not change.
 * order: room for `count` numbers: slots[order[0]] is the nearest.
 * Returns NESTBIND_OK; NESTBIND_BAD_ARGUMENT if a pointer is null, count is negative, or there is
 * no such slot; NESTBIND_NO_MACHINE, NESTBIND_NO_PLANNER, NESTBIND_NO_MEMORY. */
int nestbind_topology_sort(int root, const int *slots, int count, int *order);

/* The first of that order: slots[nestbind_topology_closest(...)] is the nearest slot, and is root
 * if root is in `slots`. Returns -1 if count is 0, or there is no such slot. */
int nestbind_topology_closest(int root, const int *slots, int count);

/* The planned slot of the calling thread. -1 if it has none of its own: outside parallel regions,
 * without a specification, beyond the specification, and in teams that are not planned. */
int nestbind_get_slot(void);

/* The slot of the thread at a path of `level` thread numbers, the outermost team first, in teams of
 * the specification's sizes. Level 0 is the initial thread.
 *
 * Returns -1 without a specification, or if it has no such thread. */
int nestbind_slot_of_path(const int *path, int level);

/* The thread that is planned on a slot: path and level of the first one, in path order, of the
 * specification's deepest teams, with pinned 1. If there is none, or no specification, level and
 * pinned are 0. core, package and numa are the slot's.
 *
 * place: written only on success.
 * Returns NESTBIND_OK; NESTBIND_BAD_ARGUMENT if place is null or there is no such slot;
 * NESTBIND_NO_MACHINE, NESTBIND_NO_PLANNER, NESTBIND_NO_MEMORY. */
int nestbind_place_of_slot(int slot, struct nestbind_place *place);

#ifdef __cplusplus
}
#endif
#endif
