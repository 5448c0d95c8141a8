// SPDX-License-Identifier: BSD-3-Clause
// Partitions of processors, and of slots.
#pragma once

#include <vector>

#include "machine/machine.hpp"

namespace nestbind::machine {

// Makes a partition from each member's object (any number; -1 for none). Numbers the objects by
// their first appearance. `original` (or null) gets each object's number in `object_of`.
Partition make_partition(std::vector<int> object_of, std::vector<int>* original = nullptr);

// Makes the partition of some members of `whole`. members: their indices in `whole`, ascending.
Partition make_partition(const Partition& whole, const std::vector<int>& members,
                         std::vector<int>* original = nullptr);

// Returns how many objects contain some of `members`; at least 1.
int count_objects(const Partition& partition, const std::vector<int>& members);

}  // namespace nestbind::machine
