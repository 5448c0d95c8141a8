// SPDX-License-Identifier: BSD-3-Clause
// The second of two stages: which object of a node goes to which rank and slot of this node.
#pragma once

#include "balance/objects.hpp"

namespace nestbind::balance::across {

// Ranks of a node. If `slots` of a rank is 0, all threads of the rank compute an object together.
struct Ranks {
  int count = 0;
  const int* threads = nullptr;
  const int* slots = nullptr;
  const int* first_numa = nullptr;               // count + 1 indices of `numa`
  const int* numa = nullptr;                     // the NUMA node of each slot, or of the rank
  double (*factor)(int from, int to) = nullptr;  // between NUMA nodes; null: 1
};

// `rank` and `slot` have the place of each object, and get its new place. `rank` is -1 for an
// object that comes from another node, `slot` is -1 if it is not known. Objects of Objects have no
// homes. Uses refine if all messages cost the same, otherwise NumaLB (balance/assign.hpp). Returns
// the time of the slowest rank, or -1 if there is no memory.
double assign_to_ranks(const Ranks& ranks, const Objects& objects, double alpha, double tolerance,
                       int* rank, int* slot);

}  // namespace nestbind::balance::across
