// SPDX-License-Identifier: BSD-3-Clause
// The algorithms. Each is list scheduling: it takes the objects by load, the heaviest first, and
// puts each onto the slot that is best at that moment. Of equal objects or slots, the one with the
// lowest number comes first. Nothing depends on time or chance.
#pragma once

#include <cstddef>

#include "balance/objects.hpp"

namespace nestbind::balance {

// The working memory of the algorithms. It belongs to the caller; its contents do not matter.
struct Work {
  double* load = nullptr;      // of each slot; after a call: of the new placement
  double* messages = nullptr;  // of one object, to each node
  double* cost = nullptr;      // of these messages, on each node
  int* order = nullptr;        // the objects, the heaviest first
  int* begin = nullptr;        // the earlier slot of each object
  int* by_slot = nullptr;      // the objects of each slot, the heaviest first
  int* nodes = nullptr;        // nodes to which an object has messages
  int* lightest = nullptr;     // the slot with the least load on each node
  int* slots = nullptr;        // by nodes, or by load, the lightest first
  int* first = nullptr;        // the first slot of each node, or the first object of each slot
};
std::size_t work_bytes(int objects, const Machine& machine);
// In memory of work_bytes() bytes that is aligned for doubles.
Work work_in(void* memory, int objects, const Machine& machine);

// The settings of an algorithm.
struct Rules {
  double alpha = 0;      // for kNuma
  double tolerance = 0;  // nothing moves if the heaviest slot has at most (1 + this) times the
                         // mean, or would not become lighter by this part
  double price = 0;      // of each move, in the load's unit
  int most = -1;         // how many moves are allowed; below 0: any number
};

enum class Algorithm { kNuma, kGreedy, kRefine };

// All algorithms take input that fault_of() has found good, write the new slot of each object to
// `place`, and return how many objects have another slot than before.

// The cost of a message if the caller gives none: all messages together cost 5 % of all loads. So
// the units of loads and messages do not matter. 0: there are no messages. Blocks of loops use the
// same 5 % while nothing is measured.
double usual_alpha(const Objects& objects);

// NumaLB (L. Pilla and others, 2011). It begins with the objects where they are. Each object c is
// taken off its slot and put onto the slot p with the least
//
//   cost(c, p) = load(p) + alpha * (rcomm(c, p) - lcomm(c, p))
//
// load(p): of the objects on p at that moment. rcomm: the sum, over all objects on other nodes q,
// of c's messages to them times factor(node of p, q). lcomm: c's messages to objects on p's node.
// Neighbours count at their present slots: heavier neighbours are on their new slots already. c's
// home counts as a neighbour that stays there. Messages of an object to itself do not count.
//
// alpha: a message's cost in the load's unit, 0 to kLargest. price: an extra cost of a move.
int numa(const Objects& objects, const Machine& machine, double alpha, const Work& work, int* place,
         double price = 0);

// Greedy: all objects are taken off, and each is put onto the slot with the least load. Messages do
// not count, and the object's old slot counts only by the price.
int greedy(const Objects& objects, const Machine& machine, const Work& work, int* place,
           double price = 0);

// As Charm++'s RefineLB: slots that are heavier than a limit give objects away until no slot is.
// Each object goes to the heaviest slot that stays within the limit. A slot gives the lightest
// object that is enough, or else the heaviest one that fits. The limit is the least one that can be
// kept, from the mean times (1 + tolerance) on, in steps of 1 % of the mean. A move has to make the
// heavier of its two slots lighter by more than the price.
int refine(const Objects& objects, const Machine& machine, const Rules& rules, const Work& work,
           int* place);

// Runs an algorithm by these rules. If it moves too many, the price is raised until it moves fewer.
int assign(Algorithm algorithm, const Objects& objects, const Machine& machine, const Rules& rules,
           const Work& work, int* place);

}  // namespace nestbind::balance
