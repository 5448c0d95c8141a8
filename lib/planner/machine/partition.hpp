// SPDX-License-Identifier: BSD-3-Clause
// Partitions of processors, and of slots.
#pragma once

#include <vector>

#include "machine/machine.hpp"

namespace nestbind::machine {

// A partition whose objects are numbered in the order of their first appearance in `object_of` (any
// numbers; -1: none). `original`, if given, gets each object's number in `object_of`.
Partition make_partition(std::vector<int> object_of, std::vector<int>* original = nullptr);

// The same for some members of `whole` (ascending indices), a result of these functions.
Partition make_partition(const Partition& whole, const std::vector<int>& members,
                         std::vector<int>* original = nullptr);

// How many objects contain some of `members`; at least 1.
int count_objects(const Partition& partition, const std::vector<int>& members);

}  // namespace nestbind::machine
