// SPDX-License-Identifier: BSD-3-Clause
// Algorithms of list scheduling. If objects or slots are equal, the lowest number comes first.
#pragma once

#include <cstddef>

#include "balance/objects.hpp"

namespace nestbind::balance {

// The working memory of the algorithms. The caller owns it.
struct Work {
  double* load = nullptr;      // load of each slot; after a call, in the new placement
  double* messages = nullptr;  // the messages of one object to each node
  double* cost = nullptr;      // the cost of these messages if the object is on this node
  int* order = nullptr;
  int* begin = nullptr;    // the earlier slot of each object
  int* by_slot = nullptr;  // the objects of each slot, the heaviest first
  int* nodes = nullptr;
  int* lightest = nullptr;
  int* slots = nullptr;  // sorted by node, or by load, the lightest first
  int* first = nullptr;  // the first slot of each node, or the first object of each slot
};
std::size_t work_bytes(int objects, const Machine& machine);
// Places the arrays in memory of work_bytes() bytes, which must be aligned for doubles.
Work work_in(void* memory, int objects, const Machine& machine);

struct Rules {
  double alpha = 0;  // the cost of a message, for kNuma
  // For example, 0.02 has two effects. Nothing moves if the heaviest load is at most 1.02 * mean.
  // The moves are undone if they lower the heaviest load by less than 2 %.
  double tolerance = 0;
  double price = 0;  // of each move, in the unit of loads
  int most = -1;     // the largest number of moves; negative: no limit
};

enum class Algorithm { kNuma, kGreedy, kRefine };

// The input must be free of faults (fault_of()). All algorithms write the new slots to `place`, and
// return the number of moved objects.

// Returns an alpha for callers that give no alpha. With this alpha, all messages together cost 5 %
// of all loads.
double usual_alpha(const Objects& objects);

// NumaLB (L. Pilla and others, 2011). At first all objects are on their present slots. The heaviest
// object moves first. Each object c goes to the slot p with the least
//
//   cost(c, p) = load(p) + alpha * (rcomm(c, p) - lcomm(c, p))
//
// load(p) is the load of the objects that are on p at that moment. lcomm is the number of messages
// from c to p's node. rcomm is the sum of the factors of all messages from c to other nodes. Both
// sums include the messages to the home of c.
int numa(const Objects& objects, const Machine& machine, double alpha, const Work& work, int* place,
         double price = 0);

// Greedy: takes all objects off their slots, and puts each onto the slot with the least load. The
// object's old slot counts only if moves have a price.
int greedy(const Objects& objects, const Machine& machine, const Work& work, int* place,
           double price = 0);

// Like RefineLB of Charm++. Each slot above a limit gives objects away. It gives away the lightest
// object whose move brings the slot to the limit or below. If no object is enough, the slot gives
// away the heaviest object that fits elsewhere. The object goes to the heaviest slot that stays
// within the limit. The first limit is (1 + tolerance) * mean. If the slots cannot keep this limit,
// it grows by steps of 1 % of the mean.
int refine(const Objects& objects, const Machine& machine, const Rules& rules, const Work& work,
           int* place);

// Raises the price until at most `rules.most` objects move.
int assign(Algorithm algorithm, const Objects& objects, const Machine& machine, const Rules& rules,
           const Work& work, int* place);

}  // namespace nestbind::balance
