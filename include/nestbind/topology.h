/* SPDX-License-Identifier: BSD-3-Clause */
/* nestbind: the positions of a program's slots on the machine, and the distances between slots.
 *
 * The functions follow TopoManager (Bhatele and Kale, 2009), but inside one machine. See
 * nestbind-topology(3).
 *
 * A slot is a place for one thread. Slots are numbered from 0 on, in the order of the machine. The
 * slots depend on the specification in force for the calling thread's teams. Without a
 * specification, each core that the process may use has one slot. NESTBIND_SMT sets another number
 * of slots for each core, and NESTBIND_CORES chooses a kind of cores. If NESTBIND_MACHINE names a
 * machine, all results are about this machine.
 *
 * All functions may be called at any time, from any thread, but not in a signal handler. The first
 * call reads the machine, if the machine was not read before. Later calls take no lock, except
 * calls of nestbind_slot_of_path and nestbind_place_of_slot. errno stays unchanged. If an argument
 * is wrong, or if the machine cannot be read, the result is -1. If the machine cannot be read, a
 * message on the standard error output reports the error once. */
#ifndef NESTBIND_TOPOLOGY_H
#define NESTBIND_TOPOLOGY_H

#include <nestbind/nestbind.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the number of slots, or -1. */
int nestbind_topology_slots(void);

/* Writes the sizes of the dimensions. The dimensions are these kinds of objects, usually in this
 * order: boards, packages, NUMA nodes, L3 caches, cores, and slots of a core. If there are fewer L3
 * caches than NUMA nodes, the L3 caches come first. The size of a dimension is the number of its
 * objects inside one object of the dimension before. If the numbers differ, the largest number
 * counts. A dimension of size 1 is left out. For example, four packages, each with one NUMA node of
 * four cores, have sizes 4 and 4.
 *
 * dims: room for `capacity` numbers; may be null if capacity is 0.
 * Returns the number of dimensions, even if it exceeds the capacity; 0 for a single slot; or -1. */
int nestbind_topology_dims(int *dims, int capacity);

/* Writes the coordinates of a slot. The coordinate in a dimension is the number of the object that
 * contains the slot. The numbers begin at 0 in each object of the previous dimension.
 *
 * slot: in [0, nestbind_topology_slots()).
 * coordinates: as dims above.
 * Returns the number of dimensions, or -1 if there is no such slot. */
int nestbind_topology_coordinates(int slot, int *coordinates, int capacity);

/* Returns the slot with these coordinates. `count` is the number of coordinates, one for each
 * dimension. Returns -1 if no slot has these coordinates. Some coordinates have no slot if the
 * objects of a kind differ, or if the process may not use some objects. */
int nestbind_topology_slot(const int *coordinates, int count);

/* Returns the number of hops of the interconnect between the NUMA nodes of two slots. Returns -1 if
 * there is no such slot. The number of hops is the length of the shortest path over links: 0 for
 * the same node, and 1 for the nearest nodes. Each node has a link to all nodes that are nearest to
 * it by the machine's distances. If there is no path between two parts of the machine, there are
 * links between the nearest nodes of these parts. A link between parts counts one hop more than the
 * links inside the parts. If the machine reports no distances, all other nodes are one hop away.
 *
 * The number is the same in both directions. The path over a third slot is never shorter. */
int nestbind_topology_hops(int a, int b);

/* Returns the number of levels of the machine's tree from a slot up to the smallest object that
 * contains both slots. Returns -1 if there is no such slot. The number is 0 for the same slot, and
 * 1 for neighbours. Objects with the same slots count as one level. If parts of the tree have
 * different depths, the deepest part counts. */
int nestbind_topology_levels(int a, int b);

/* Returns the distance from one slot to the memory of another slot's NUMA node, or -1 if there is
 * no such slot. The setting NESTBIND_MACHINE_DISTANCES=probed selects measured distances, in
 * nanoseconds. Without measured distances, the function returns the firmware's numbers. The
 * firmware usually gives a slot's own memory the number 10. If the machine reports no distances,
 * the result is the number of levels. */
double nestbind_topology_distance(int from, int to);

/* Returns the NUMA factor of two nodes. Let t(n) be the time in which a processor of node `from`
 * reads the memory of node n. The factor is t(to) / t(from). The times follow from the distances
 * above. The factor is 1 for the same node.
 *
 * from, to: the kernel's numbers, as in `numa` of nestbind_place.
 * Returns -1 if there is no such node, or distances are not known. */
double nestbind_topology_numa_factor(int from, int to);

/* Sorts slots by distance from the slot `root`, then by levels, then by position in `slots`.
 *
 * slots: `count` slots; the array does not change.
 * order: an array for `count` numbers. slots[order[0]] is the nearest slot.
 * Returns NESTBIND_OK, or an error:
 * NESTBIND_BAD_ARGUMENT: a pointer is null, count is negative, or a slot does not exist.
 * NESTBIND_NO_MACHINE, NESTBIND_NO_PLANNER, NESTBIND_NO_MEMORY. */
int nestbind_topology_sort(int root, const int *slots, int count, int *order);

/* Finds the slot that is nearest to `root`. This is the first slot after nestbind_topology_sort. If
 * root is in `slots`, root is the nearest. Returns the position in `slots`. Returns -1 if count is
 * 0, or if a slot does not exist. */
int nestbind_topology_closest(int root, const int *slots, int count);

/* Returns the planned slot of the calling thread, or -1 if it has none. A thread has no slot
 * outside parallel regions, without a specification, at levels deeper than the specification, and
 * in unplanned teams. */
int nestbind_get_slot(void);

/* Returns the slot of a thread, if all teams have the specification's sizes.
 *
 * path: the thread's number in each team, the outermost team first.
 * level: the length of `path`; 0 for the initial thread.
 * Returns -1 if there is no specification, or if the specification has no such thread. */
int nestbind_slot_of_path(const int *path, int level);

/* Writes which thread the plan puts on a slot. The thread is in a team of the specification's last
 * level, and `pinned` is 1. If the plan puts several threads on the slot, the function writes the
 * thread with the lowest path. If the plan puts no thread on the slot, `level` and `pinned` are 0.
 * The same is true if there is no specification. `core`, `package` and `numa` describe the slot.
 *
 * place: written only if the result is NESTBIND_OK.
 * Returns NESTBIND_OK, or an error:
 * NESTBIND_BAD_ARGUMENT: place is null, or the slot does not exist.
 * NESTBIND_NO_MACHINE, NESTBIND_NO_PLANNER, NESTBIND_NO_MEMORY. */
int nestbind_place_of_slot(int slot, struct nestbind_place *place);

enum nestbind_device_kind { NESTBIND_GPU = 1, NESTBIND_NIC = 2, NESTBIND_NVME = 3 };

/* Texts that are not known are empty. */
struct nestbind_device {
  int kind;  /* of enum nestbind_device_kind */
  int numa;  /* the kernel's number of the NUMA node beside the device, or -1 */
  int level; /* 0 if the slot or thread is beside the device, otherwise larger if it is farther */
  char name[64]; /* hwloc's name, such as cuda0, rsmi1, mlx5_0 or nvme0n1 */
  char pci[16];  /* the PCI address, such as 0000:04:00.0 */
  char uuid[64]; /* of a GPU, as its runtime writes it */
};

/* Finds the devices of a kind that are nearest to a slot, or to the calling thread: all devices
 * with the smallest level. Variables such as CUDA_VISIBLE_DEVICES have no effect. The first call
 * reads the machine's devices, which takes tens of milliseconds if they are not in the cache.
 *
 * kind: of enum nestbind_device_kind.
 * slot: -1 for the calling thread. If the thread has no slot, the processors of the process count.
 * devices: room for `capacity` devices; may be null if capacity is 0.
 * Returns the number of devices, even if it exceeds the capacity. Returns -1 if there is no such
 * kind or slot, or if the devices cannot be read. */
int nestbind_devices(int kind, int slot, struct nestbind_device *devices, int capacity);

#ifdef __cplusplus
}
#endif
#endif
