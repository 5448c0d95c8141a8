/* SPDX-License-Identifier: BSD-3-Clause */
/* nestbind: where a program's slots are on the machine, and what lies between them.
 *
 * After TopoManager (A. Bhatele and L. Kale, "Is topology important again?", 2009), for what is in
 * one machine: the tree and the distances are those that the plan uses. nestbind-topology(3) has
 * the whole.
 *
 * A slot is a place for one thread, with a number from 0 on, in the order of the machine. The slots
 * are those of the specification that the calling thread's teams follow; another specification may
 * have others. Without one there is a slot for each core that the process may use, of all kinds
 * (NESTBIND_SMT: or as many as that says; NESTBIND_CORES: or of the kind that it names). With
 * NESTBIND_MACHINE all of this is of the machine that is planned for.
 *
 * All functions may be called at any time, from any thread, but not in a signal handler. The first
 * call reads the machine, if that is not done; later ones take no lock, but for the last two. errno
 * stays as it is. -1 is answered where the machine cannot be read, which is also told once on the
 * standard error output, or an argument is bad. */
#ifndef NESTBIND_TOPOLOGY_H
#define NESTBIND_TOPOLOGY_H

#include <nestbind/nestbind.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How many slots there are, or -1. */
int nestbind_topology_slots(void);

/* How many objects of each kind are in one of the kind before, at most: boards, packages, NUMA
 * nodes, L3 caches, cores, slots of a core, the larger ones first. Kinds of which there is only one
 * in each are left out: 4 and 4 for four packages, each one NUMA node, of four cores.
 *
 * dims: room for `capacity` numbers; may be null if capacity is 0.
 * Returns the number of dimensions, also where that exceeds the capacity, 0 for a single slot, or
 * -1. */
int nestbind_topology_dims(int *dims, int capacity);

/* Where a slot is: the number, from 0 on, of its object in each dimension, within the object of the
 * dimension before.
 *
 * slot: in [0, nestbind_topology_slots()).
 * coordinates: as dims above.
 * Returns the number of dimensions, or -1 if there is no such slot. */
int nestbind_topology_coordinates(int slot, int *coordinates, int capacity);

/* The slot with `count` coordinates, which is the number of dimensions.
 *
 * Returns -1 where there is none: where objects are not alike, or some of them may not be used, not
 * all coordinates have a slot. */
int nestbind_topology_slot(const int *coordinates, int count);

/* Hops of the interconnect between the NUMA nodes of two slots: 0 in one node, 1 to the nearest
 * ones. It is the length of the shortest way over links. Each node has a link to all that are
 * nearest to it by the distances that the machine tells. Where that leaves parts without a way to
 * each other, these have links where they are nearest, which count a hop more than their own. Where
 * the machine tells no distances, any other node is one hop away.
 *
 * The same both ways, and never more than over a third slot. Returns -1 if there is no such slot.
 */
int nestbind_topology_hops(int a, int b);

/* Levels up the tree of the machine to the smallest object that has both slots: 0 for the same
 * slot, 1 for neighbours. Objects with the same slots are one level; of parts of unequal depth the
 * deepest counts. Returns -1 if there is no such slot. */
int nestbind_topology_levels(int a, int b);

/* How far the memory of one slot's NUMA node is from another slot: in nanoseconds where that was
 * measured and is to be used (NESTBIND_MACHINE_DISTANCES=probed), otherwise in the firmware's
 * units, of which a node's own memory has 10 as a rule, otherwise, where the machine tells no
 * distances, in levels. Returns -1 if there is no such slot. */
double nestbind_topology_distance(int from, int to);

/* The NUMA factor: how much longer a read from node `from` takes to the memory of node `to` than to
 * its own, by the distances above; 1 where both are the same.
 *
 * from, to: the kernel's numbers, as nestbind_place has them in `numa`.
 * Returns -1 where there is no such node, or distances are not known. */
double nestbind_topology_numa_factor(int from, int to);

/* Sorts slots by how near they are to `root`: by distance, then by levels, then as they stand
 * there.
 *
 * slots: `count` of them; they stay as they are.
 * order: room for `count` numbers: slots[order[0]] is the nearest.
 * Returns NESTBIND_OK; NESTBIND_BAD_ARGUMENT if a pointer is null, count is negative, or there is
 * no such slot; NESTBIND_NO_MACHINE, NESTBIND_NO_PLANNER, NESTBIND_NO_MEMORY. */
int nestbind_topology_sort(int root, const int *slots, int count, int *order);

/* The first of that order: slots[nestbind_topology_closest(...)] is the nearest, which is root
 * where that is among them. Returns -1 if count is 0, or there is no such slot. */
int nestbind_topology_closest(int root, const int *slots, int count);

/* The slot that the calling thread is planned on; -1 where it has none of its own: outside parallel
 * regions, without a specification, beyond it, and in teams that are not planned. */
int nestbind_get_slot(void);

/* The slot of the thread at a path of `level` thread numbers, outermost team first, in teams of the
 * specification's sizes; level 0 is the initial thread.
 *
 * Returns -1 without a specification, and where it has no such thread. */
int nestbind_slot_of_path(const int *path, int level);

/* Who is planned on a slot, and where that is: path and level of the first one, in path order, of
 * the specification's deepest teams, with pinned 1. Where nobody is, and without a specification,
 * level and pinned are 0. core, package and numa are the slot's.
 *
 * place: written only on success.
 * Returns NESTBIND_OK; NESTBIND_BAD_ARGUMENT if place is null or there is no such slot;
 * NESTBIND_NO_MACHINE, NESTBIND_NO_PLANNER, NESTBIND_NO_MEMORY. */
int nestbind_place_of_slot(int slot, struct nestbind_place *place);

#ifdef __cplusplus
}
#endif
#endif
