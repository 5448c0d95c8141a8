/* SPDX-License-Identifier: BSD-3-Clause */
/* nestbind: finds a slot for each of a program's objects, from the objects' loads and the cost of
 * distance.
 *
 * nestbind_balance is for programs that compute the same objects (zones, patches or blocks) in each
 * step. Use it if the loads of objects differ and the program can move objects. The program
 * measures the loads, and moves its objects to the slots that nestbind returns. The algorithm is
 * NumaLB (L. Pilla and others, "Improving Charm++ performance with a NUMA-aware load balancer",
 * 2011). nestbind-balance(3) has the details. */
#ifndef NESTBIND_BALANCE_H
#define NESTBIND_BALANCE_H

#include <nestbind/nestbind.h>

#ifdef __cplusplus
extern "C" {
#endif

enum nestbind_balance_algorithm {
  NESTBIND_BALANCE_NUMA = 0,   /* by load, messages and distances; moves few objects */
  NESTBIND_BALANCE_GREEDY = 1, /* by load only; ignores present slots, moves nearly all objects */
  NESTBIND_BALANCE_REFINE = 2  /* by load only; heavy slots give objects to light slots */
};

/* The objects of a program, numbered from 0 on. Loads and messages are numbers from 0 to 1e15.
 *
 * The messages of object i have the indices first[i] to first[i + 1] - 1. For each
 * of these indices k, object i exchanges messages[k] messages with object other[k]. If objects i
 * and j communicate, list the messages both at i and at j. Messages of an object to itself are
 * ignored. */
struct nestbind_objects {
  int count;
  const double *load;          /* load of each object, in seconds */
  const int *first;            /* count + 1 indices, the first is 0; null without messages */
  const int *other;            /* the other object of each entry; null if there are no messages */
  const double *messages;      /* number of messages of each entry; null: 1 for each */
  const int *home;             /* the NUMA node with the data of each object; null without homes */
  const double *home_messages; /* messages of each object to and from its home; null: 1 for each */
};

/* A machine other than the present one: its slots, its nodes, and the factors between the nodes. */
struct nestbind_balance_machine {
  int slots;            /* 1 or more */
  int nodes;            /* 1 or more */
  const int *node;      /* the node of each slot; nodes are numbered from 0 on */
  const double *factor; /* [a * nodes + b]: the time of a message from node a to node b, divided by
                           the time inside a node, 0 to 1e15; null: all factors are 1 */
};

/* If all members are zero, or the pointer to this struct is null, all defaults are used. */
struct nestbind_balance_options {
  int algorithm;    /* of nestbind_balance_algorithm */
  double alpha;     /* for numa: the cost of a message, in the unit of the loads, up to 1e15. 0: 5 %
                       of the sum of all loads, divided by the sum of all messages
                       (messages to homes included) */
  double tolerance; /* up to 1e15; 0: 0.02; negative: no tolerance. Nothing moves if the heaviest
                       slot's load is at most (1 + tolerance) times the mean load, or if moves would
                       not reduce this load by the fraction `tolerance` */
  const struct nestbind_balance_machine *machine; /* null: the present machine */
  int slots;                                      /* length of `slot`; 0 if `slot` is null */
  const int *slot; /* the slots that can have objects, each slot once: the slots of the threads that
                      compute objects; null: all slots. Must be null if there is a machine */
  int most_moves;  /* the largest number of objects that move; 0: no limit */
  double move_price; /* the cost of a move, in the unit of the loads, up to 1e15 */
};

/* Finds a slot for each object. The function moves nothing. The result does not depend on time or
 * chance.
 *
 * Slots and distances are those of nestbind/topology.h. nestbind_topology_numa_factor() returns the
 * factor between two nodes. If the distances are not known, all factors are 1. A home is the number
 * of a node, like `numa` of struct nestbind_place. If the number is negative, or the node has no
 * processors, the object has no home. If the options have a machine, slots and nodes are those of
 * this machine. The function may choose slots without a thread. So if some slots have no thread
 * that computes objects, list the other slots in the options.
 *
 * The function may be called at any time, also by several threads at the same time. It must not be
 * called in a signal handler. errno stays unchanged.
 *
 * objects: as above. options: null for the defaults. place: the present slot of each object; after
 * the call its new slot; may be null if there are no objects.
 * Returns the number of objects with a new slot, or the negative number of an error. If there is an
 * error, `place` is unchanged.
 * NESTBIND_BAD_ARGUMENT: an argument is wrong. A message on the standard error output reports the
 * first such error of the process, with the array and the index. The possible errors are:
 * - objects or a required array is null
 * - a number is outside its range, or NaN
 * - first[] does not begin with 0, or decreases
 * - an entry of other[] is not the number of an object
 * - a number in place[] is not a slot
 * - the options list slots, but a slot in place[] is not listed
 * - a listed slot does not exist, or is listed twice
 * - the algorithm is unknown
 * - node[] or home[] names a node that the given machine does not have
 *
 * NESTBIND_NO_MACHINE, NESTBIND_NO_PLANNER: nestbind does not know the present machine; a message
 * on the standard error output reports the error once. NESTBIND_NO_MEMORY. */
int nestbind_balance(const struct nestbind_objects *objects,
                     const struct nestbind_balance_options *options, int *place);

#ifdef __cplusplus
}
#endif
#endif
