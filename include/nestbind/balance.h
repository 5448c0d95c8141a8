/* SPDX-License-Identifier: BSD-3-Clause */
/* nestbind: finds a slot for each of a program's objects, from the objects' loads and the cost of
 * distance.
 *
 * For programs that compute the same zones, patches or blocks in each step, whose loads differ, and
 * that can move them. The program measures, asks from time to time, and moves its objects as
 * nestbind says. The algorithm is NumaLB (L. Pilla and others, "Improving Charm++ performance with
 * a NUMA-aware load balancer", 2011). nestbind-balance(3) has the details. */
#ifndef NESTBIND_BALANCE_H
#define NESTBIND_BALANCE_H

#include <nestbind/nestbind.h>

#ifdef __cplusplus
extern "C" {
#endif

enum nestbind_balance_algorithm {
  NESTBIND_BALANCE_NUMA = 0,   /* by load, and by messages and distances; moves few */
  NESTBIND_BALANCE_GREEDY = 1, /* by load alone, and not by present slots; moves nearly all */
  NESTBIND_BALANCE_REFINE = 2  /* by load alone; heavy slots give objects to light ones */
};

/* The objects of a program, numbered from 0 on. Loads and messages are numbers from 0 to 1e15.
 *
 * The messages of object i have the indices first[i] to first[i + 1] - 1: other[] has the
 * receivers, and messages[] the numbers. Messages between two objects are listed at both. An
 * object's messages to itself do not count. */
struct nestbind_objects {
  int count;
  const double *load;          /* of each object, in seconds */
  const int *first;            /* count + 1 numbers, from 0 on; null: nobody sends anything */
  const int *other;            /* for each message its receiver; null if there are none */
  const double *messages;      /* their numbers; null: one each */
  const int *home;             /* the NUMA node with each object's data; null: none */
  const double *home_messages; /* to and from that node; null: one each */
};

/* Another machine than the present one: slots in nodes, and factors between nodes. */
struct nestbind_balance_machine {
  int slots;            /* 1 or more */
  int nodes;            /* 1 or more */
  const int *node;      /* the node of each slot, from 0 on */
  const double *factor; /* at [a * nodes + b]: the time of a message from node a to node b over
                           that within a node, 0 to 1e15; null: 1 */
};

/* Zero in all members gives the defaults, and so does a null pointer to this. */
struct nestbind_balance_options {
  int algorithm;    /* of nestbind_balance_algorithm */
  double alpha;     /* for numa: the cost of a message, in the unit of the loads, up to 1e15;
                       0: 5 % of all loads over all messages, also those of homes */
  double tolerance; /* nothing moves if the heaviest slot's load is at most (1 + tolerance) times
                       the mean, or would not fall by this part; up to 1e15; 0: 0.02;
                       negative: no tolerance */
  const struct nestbind_balance_machine *machine; /* null: the present one */
  int slots;         /* number of slots for objects; 0 with a null pointer */
  const int *slot;   /* these slots, each once: those of the threads that have objects; null:
                        all. Not with a machine */
  int most_moves;    /* 0: any number */
  double move_price; /* the cost of a move, in the unit of the loads, up to 1e15 */
};

/* Finds a slot for each object. This moves nothing, and does not depend on time or chance.
 *
 * The slots and distances are those of nestbind/topology.h: a factor is that of
 * nestbind_topology_numa_factor, or 1 if distances are not known. A home is a node as in struct
 * nestbind_place; a negative one, or one without processors, means no home. With a machine in the
 * options, slots and nodes are that machine's. A slot need not have a thread. If there are fewer
 * threads than slots, or only some threads have objects, name the slots of these threads.
 *
 * May be called at any time, by several threads at once, but not in a signal handler. errno stays
 * unchanged. The call frees the memory that it allocates.
 *
 * objects: as above. options: null for the defaults. place: the present slot of each object; after
 * the call its new slot; may be null if there are no objects.
 * Returns the number of objects with a new slot, or the negative number of an error; then `place`
 * is unchanged. NESTBIND_BAD_ARGUMENT (the first one is reported on the standard error output, with
 * the array and the index): objects or a required array is null; a number is outside its range, or
 * NaN; first does not begin with 0, or decreases; a receiver is not the number of an object; a
 * place is not a slot, or not one of the named slots; a named slot does not exist, or is named
 * twice; the algorithm is unknown; or, with a machine in the options, a node or home is not one of
 * its nodes. NESTBIND_NO_MACHINE, NESTBIND_NO_PLANNER: there is no machine to ask about, which is
 * reported once on the standard error output. NESTBIND_NO_MEMORY. */
int nestbind_balance(const struct nestbind_objects *objects,
                     const struct nestbind_balance_options *options, int *place);

#ifdef __cplusplus
}
#endif
#endif
