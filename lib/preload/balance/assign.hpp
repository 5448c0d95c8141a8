// SPDX-License-Identifier: BSD-3-Clause
// Algorithms of list scheduling. Each algorithm takes the heaviest object first, and puts each
// object onto the slot that is best at that moment. If objects or slots are equal, the lowest
// number comes first. Nothing depends on the time or on random numbers.
#pragma once

#include <cstddef>

#include "balance/objects.hpp"

namespace nestbind::balance {

// The working memory of the algorithms. The caller owns it. Its contents do not matter.
struct Work {
  double* load = nullptr;      // load of each slot; after a call, in the new placement
  double* messages = nullptr;  // the messages of one object to each node
  double* cost = nullptr;      // the cost of these messages if the object is on this node
  int* order = nullptr;        // the objects, the heaviest first
  int* begin = nullptr;        // the earlier slot of each object
  int* by_slot = nullptr;      // the objects of each slot, the heaviest first
  int* nodes = nullptr;        // nodes to which an object has messages
  int* lightest = nullptr;     // the slot with the least load on each node
  int* slots = nullptr;        // sorted by node, or by load, the lightest first
  int* first = nullptr;        // the first slot of each node, or the first object of each slot
};
std::size_t work_bytes(int objects, const Machine& machine);
// Places the arrays in memory of work_bytes() bytes, which must be aligned for doubles.
Work work_in(void* memory, int objects, const Machine& machine);

struct Rules {
  double alpha = 0;      // the cost of a message, for kNuma
  double tolerance = 0;  // nothing moves if the heaviest slot's load is at most (1 + tolerance)
                         // the mean, or would become lighter by a smaller part of its load
  double price = 0;      // the price of each move, in the unit of loads
  int most = -1;         // the largest number of moves; negative: no limit
};

enum class Algorithm { kNuma, kGreedy, kRefine };

// The input must be free of faults (fault_of()). All algorithms write the new slot of each object
// to `place`, and return how many objects have another slot than before.

// Returns the cost of a message (alpha) for callers that give none. With this alpha all messages
// together cost 5 % of all loads, so their units do not matter. Returns 0 if there are no messages.
double usual_alpha(const Objects& objects);

// NumaLB (L. Pilla and others, 2011). At first all objects are on their present slots. One after
// another, each object c is taken off its slot and put onto the slot p with the least
//
//   cost(c, p) = load(p) + alpha * (rcomm(c, p) - lcomm(c, p))
//
// load(p) is the load of the objects on p at that moment. lcomm is the number of c's messages to
// objects on p's node. rcomm is the number of c's messages to objects on other nodes q, each
// multiplied by factor(node of p, q). The receivers of messages count on their present slots;
// heavier receivers already have their new slots. c's home is a receiver that does not move.
// Messages of an object to itself do not count.
//
// `alpha` is the cost of a message, 0 to kLargest. `price` is an extra cost of a move.
int numa(const Objects& objects, const Machine& machine, double alpha, const Work& work, int* place,
         double price = 0);

// Greedy: takes all objects off their slots, and puts each onto the slot with the least load.
// Messages do not count. The object's old slot counts only if moves have a price.
int greedy(const Objects& objects, const Machine& machine, const Work& work, int* place,
           double price = 0);

// Like RefineLB of Charm++: slots that are heavier than a limit give objects away until no slot is
// heavier. Each object goes to the heaviest slot that stays within the limit. A slot gives away the
// lightest object whose move brings the slot to the limit or below. Without such an object, the
// slot gives away the heaviest object that fits onto another slot. The limit is the least that can
// be kept: (1 + tolerance) times the mean, or more in steps of 1 % of the mean. A move makes the
// heavier of its two slots lighter by more than the price.
int refine(const Objects& objects, const Machine& machine, const Rules& rules, const Work& work,
           int* place);

// Runs an algorithm by these rules. Raises the price until at most `rules.most` objects move.
int assign(Algorithm algorithm, const Objects& objects, const Machine& machine, const Rules& rules,
           const Work& work, int* place);

}  // namespace nestbind::balance
