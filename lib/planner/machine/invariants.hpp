// SPDX-License-Identifier: BSD-3-Clause
// What everything behind hardware.hpp relies on, in one place: hardware comes from other processes,
// and from files.
#pragma once

#include "machine/hardware.hpp"
#include "mask/cpu_mask.hpp"

namespace nestbind::machine {

// More than any Linux can have, and what a mask has room for. Also the processors' numbers are
// below.
inline constexpr int kMostProcessors = mask::kMaxCpus;

// Levels of objects, and of nested NUMA nodes: walks down are recursive, and there is a partition
// for each level.
inline constexpr int kDeepest = 100;

// Null, or in words the first of these that does not hold:
// - There are 1 to kMostProcessors processors, some of them allowed; their numbers are below
//   kMostProcessors, and different. Lists by processor have an entry for each, or `speed` none.
// - objects[0] has all processors. Every other object is the child of one before it, lies within
//   it, behind its elder siblings, and on a deeper level. All objects of a level have one type.
// - Each processor is in one core.
// - There are at most kMostProcessors NUMA nodes. Each names processors in ascending order; two
// have
//   none in common, or one has all of the other's.
// - Distances are a matrix of all NUMA nodes, or none; the measured ones, too.
// Takes time and memory in proportion to what is in `hardware`.
const char* broken_invariant(const Hardware& hardware);

}  // namespace nestbind::machine
