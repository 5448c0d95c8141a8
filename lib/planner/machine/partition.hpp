// SPDX-License-Identifier: BSD-3-Clause
// Partitions of processors, and of slots.
#pragma once

#include <vector>

#include "machine/machine.hpp"

namespace nestbind::machine {

// Numbers the objects by their first appearance. If `original` is not null, it gets the objects'
// old numbers.
Partition make_partition(std::vector<int> object_of, std::vector<int>* original = nullptr);

// members: indices in `whole`, ascending.
Partition make_partition(const Partition& whole, const std::vector<int>& members,
                         std::vector<int>* original = nullptr);

// The result is at least 1.
int count_objects(const Partition& partition, const std::vector<int>& members);

}  // namespace nestbind::machine
