// SPDX-License-Identifier: BSD-3-Clause
// The invariants of hardware.hpp. Hardware may come from other processes and from files.
#pragma once

#include "machine/hardware.hpp"
#include "mask/cpu_mask.hpp"

namespace nestbind::machine {

// Linux and CPU masks have no room for more processors, or for larger processor numbers.
inline constexpr int kMostProcessors = mask::kMaxCpus;

// The largest depth of the tree of objects, and of nested NUMA nodes. Both depths are limited
// because our code walks the tree by recursion.
inline constexpr int kDeepest = 100;

// Returns null if no invariant is broken, otherwise the first broken invariant in words:
// - There are 1 to kMostProcessors processors, some of them allowed; their numbers are below
//   kMostProcessors, and different. Lists that are indexed by processor have an entry for each
//   processor (`speed` may be empty).
// - objects[0] has all processors. Each object after objects[0] is the child of an earlier object.
//   The child lies within its parent, after its earlier siblings, and on a deeper level. All
//   objects of a level have one type.
// - Each processor is in one core.
// - There are at most kMostProcessors NUMA nodes. The processors of a node are in ascending order.
//   Two nodes have no processor in common, or one has all processors of the other.
// - Both kinds of distances are a matrix of all NUMA nodes, or empty.
const char* broken_invariant(const Hardware& hardware);

}  // namespace nestbind::machine
