// SPDX-License-Identifier: BSD-3-Clause
// Partitions of processors, and of slots.
#pragma once

#include <vector>

#include "machine/machine.hpp"

namespace nestbind::machine {

// A partition whose objects are numbered in the order in which they first come up in `object_of`
// (any numbers; -1: in none). `original`, if given, gets the number that each object had.
Partition make_partition(std::vector<int> object_of, std::vector<int>* original = nullptr);

// The partition of chosen members: of `members`, ascending indices into `whole`, which comes from
// here or has no `slots_in`.
Partition make_partition(const Partition& whole, const std::vector<int>& members,
                         std::vector<int>* original = nullptr);

// How many objects some of `members` are in; at least 1.
int count_objects(const Partition& partition, const std::vector<int>& members);

}  // namespace nestbind::machine
