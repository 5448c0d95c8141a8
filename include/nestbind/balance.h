/* SPDX-License-Identifier: BSD-3-Clause */
/* nestbind: which of a program's objects belongs on which slot, by how long each took and what
 * distance costs.
 *
 * For programs that come back to the same zones, patches or blocks in every step, whose loads
 * differ, and that can move them: the program measures, asks now and then, and moves what is told.
 * The algorithm is NumaLB's (L. Pilla and others, "Improving Charm++ performance with a NUMA-aware
 * load balancer", 2011). nestbind-balance(3) has the whole. */
#ifndef NESTBIND_BALANCE_H
#define NESTBIND_BALANCE_H

#include <nestbind/nestbind.h>

#ifdef __cplusplus
extern "C" {
#endif

enum nestbind_balance_algorithm {
  NESTBIND_BALANCE_NUMA = 0,   /* by load and by messages over distances; moves few */
  NESTBIND_BALANCE_GREEDY = 1, /* by load alone, as if nobody was anywhere; moves nearly all */
  NESTBIND_BALANCE_REFINE = 2  /* by load alone; heavy slots give objects to light ones */
};

/* The objects of a program, numbered from 0 on. Loads and messages are numbers from 0 to 1e15.
 *
 * The messages of object i are first[i] to first[i + 1] - 1: to whom, and how many. What two
 * objects send to each other stands at both; to itself does not count. */
struct nestbind_objects {
  int count;
  const double *load;          /* how long each took, in seconds */
  const int *first;            /* count + 1 numbers, from 0 on; null: nobody sends anything */
  const int *other;            /* for each message its receiver; null if there are none */
  const double *messages;      /* how many of them; null: one each */
  const int *home;             /* the NUMA node that has each object's data; null: of none */
  const double *home_messages; /* from and to that node; null: one each */
};

/* A machine in place of the one at hand: slots in nodes, and what lies between them. */
struct nestbind_balance_machine {
  int slots;            /* 1 or more */
  int nodes;            /* likewise */
  const int *node;      /* of each slot, from 0 on */
  const double *factor; /* what a message from node a to node b takes over one that stays in a
                           node, at [a * nodes + b], 0 to 1e15; null: 1 */
};

/* All zero, and a null pointer to this, is the default. */
struct nestbind_balance_options {
  int algorithm;    /* of nestbind_balance_algorithm */
  double alpha;     /* for numa: what a message costs, in the unit of the loads, up to 1e15;
                       0: 5 % of all loads over all messages, homes' among them */
  double tolerance; /* nothing moves if the heaviest slot has no more than (1 + tolerance) times
                       the mean, or would not have less than now by this part; up to 1e15;
                       0: 0.02; below 0: none */
  const struct nestbind_balance_machine *machine; /* null: this one */
  int slots;         /* how many objects may go to; 0 with a null pointer */
  const int *slot;   /* which ones, each once: those of the threads that have objects; null: all.
                        Not with a machine */
  int most_moves;    /* 0: any number */
  double move_price; /* what it costs to move an object, in the unit of the loads, up to 1e15 */
};

/* Finds a slot for each object. Nothing is moved here, and nothing depends on time or chance.
 *
 * The slots are those of nestbind/topology.h, with distances as told there: a factor is that of
 * nestbind_topology_numa_factor, and 1 where distances are not known. A home is a node as
 * struct nestbind_place has it; a negative one, and one that has no processors, is none. With a
 * machine in the options, slots and nodes are of that one. A slot need not have a thread: where
 * there are fewer threads than slots, or only some of them have objects, name their slots.
 *
 * It may be called at any time, from any thread, but not in a signal handler; several threads may
 * ask at once. errno stays as it is. Allocates some memory, which is free again after the call.
 *
 * objects: as above. options: null for the defaults. place: the slot of each object now; after the
 * call the one where it belongs; may be null where there are no objects.
 * Returns how many objects have another slot than before, or the negative number of an error; then
 * `place` is as it was. NESTBIND_BAD_ARGUMENT, the first of which
 * is told on the standard error output, with the array and the index: objects is null, an array
 * that is needed is null, a number is not within what is said above (or is no number), first does
 * not begin with 0 or falls, a receiver is no object, a place is no slot (or none of those named),
 * a slot is named that is none, or twice, the algorithm is none of these, or, with a machine in the
 * options, a node or home is none of its own. NESTBIND_NO_MACHINE, NESTBIND_NO_PLANNER: there is no
 * machine to be asked, which is told once on the standard error output. NESTBIND_NO_MEMORY. */
int nestbind_balance(const struct nestbind_objects *objects,
                     const struct nestbind_balance_options *options, int *place);

#ifdef __cplusplus
}
#endif
#endif
