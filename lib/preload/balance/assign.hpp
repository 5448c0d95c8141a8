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
};
std::size_t work_bytes(int objects, const Machine& machine);
// In memory of so many bytes that is aligned for doubles.
Work work_in(void* memory, int objects, const Machine& machine);

// All of these take what are_good(), is_good() and fit() have found good, write the new slot of
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
// alpha: the load's unit for a message, 0 to kLargest.
int numa(const Objects& objects, const Machine& machine, double alpha, const Work& work,
         int* place);

// Greedy: all objects are taken off, and each is put onto the slot with the least load. Neither
// where it was nor messages count.
int greedy(const Objects& objects, const Machine& machine, const Work& work, int* place);

// Greedy that moves only what has to be moved, as Charm++'s GreedyRefine: an object stays where it
// was unless that makes its slot heavier than the heaviest one of greedy times (1 + tolerance), or,
// where that could not be kept, than the heaviest one so far; otherwise it goes to the slot with
// the least load. tolerance: 0 to kLargest.
int refine(const Objects& objects, const Machine& machine, double tolerance, const Work& work,
           int* place);

}  // namespace nestbind::balance
