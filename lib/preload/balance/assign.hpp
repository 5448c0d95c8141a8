// SPDX-License-Identifier: BSD-3-Clause
// The algorithms. Each is list scheduling: the objects by load, the heaviest first (of equal ones
// the one with the lowest number), each onto the slot that is best for it then (of equal ones the
// one with the lowest number). Nothing depends on time or chance.
#pragma once

#include <cstddef>

#include "balance/objects.hpp"

namespace nestbind::balance {

// What the algorithms work in, of the caller's; its contents do not matter.
struct Work {
  double* load = nullptr;      // of each slot; behind a call that of the new placement
  double* messages = nullptr;  // an object's, to each node
  double* cost = nullptr;      // of these, on each node
  int* order = nullptr;        // the objects, the heaviest first
  int* begin = nullptr;        // where each was before
  int* by_slot = nullptr;      // the objects of each slot, the heaviest first
  int* nodes = nullptr;        // those that an object has messages to
  int* lightest = nullptr;     // of each node the slot with the least load
  int* slots = nullptr;        // by nodes, or from the lightest one on
  int* first = nullptr;        // of each node its first slot, or of each slot its first object
};
std::size_t work_bytes(int objects, const Machine& machine);
// In memory of so many bytes that is aligned for doubles.
Work work_in(void* memory, int objects, const Machine& machine);

// What is asked of an algorithm.
struct Rules {
  double alpha = 0;      // of numa
  double tolerance = 0;  // nobody moves if the heaviest slot has no more than the mean times
                         // (1 + this), or would not have less than now by this part
  double price = 0;      // what each move costs, in the load's unit
  int most = -1;         // of moves; below 0: any number
};

enum class Algorithm { kNuma, kGreedy, kRefine };

// All of these take what fault_of() has found good, write the new slot of
// each object to `place`, and return how many have another one than before.

// What a message costs where nobody says it: so much that all messages of an object together make
// 5 % of what it takes, of all objects on average. The units of loads and messages do not matter
// then. 0 where there are none. (As blocks of loops have it as long as nothing is measured.)
double usual_alpha(const Objects& objects);

// NumaLB (L. Pilla and others, 2011). With the objects where they are, each one is taken off its
// slot and put onto the one with the least
//
//   cost(c, p) = load(p) + alpha * (rcomm(c, p) - lcomm(c, p))
//
// load(p): of the objects that are there now. rcomm: over all objects on other nodes q, its
// messages to them times factor(node of p, q); lcomm: its messages to those on p's node. Neighbours
// count where they are now: the heavier ones where they have been put already. Its home counts as a
// neighbour that stays there. What it sends to itself does not count.
//
// alpha: the load's unit for a message, 0 to kLargest. price: what another slot than that where the
// object is costs besides.
int numa(const Objects& objects, const Machine& machine, double alpha, const Work& work, int* place,
         double price = 0);

// Greedy: all objects are taken off, and each is put onto the slot with the least load. Neither
// where it was nor messages count, but for the price.
int greedy(const Objects& objects, const Machine& machine, const Work& work, int* place,
           double price = 0);

// As Charm++'s RefineLB: slots that are heavier than a limit give objects away, each to the slot
// with the least load then, until none is. It gives the lightest object that is enough, or else the
// heaviest one that does not make the other slot heavier than the limit. The limit is the least one
// that can be kept, from the mean times (1 + tolerance) on, in steps of 1 % of the mean. A move
// that does not make the heavier one of its two slots lighter by more than the price is none.
int refine(const Objects& objects, const Machine& machine, const Rules& rules, const Work& work,
           int* place);

// An algorithm by these rules. If it moves too many, the price is raised until it does not.
int assign(Algorithm algorithm, const Objects& objects, const Machine& machine, const Rules& rules,
           const Work& work, int* place);

}  // namespace nestbind::balance
