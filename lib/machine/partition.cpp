// SPDX-License-Identifier: BSD-3-Clause
#include "machine/partition.hpp"

#include <algorithm>

namespace nestbind::machine {

Partition make_partition(const std::vector<int>& object_of, std::vector<int>* original) {
  int highest = -1;
  for (int object : object_of) {
    highest = std::max(highest, object);
  }
  std::vector<int> number(static_cast<std::size_t>(highest) + 1, -1);
  Partition partition;
  partition.object_of.reserve(object_of.size());
  for (int object : object_of) {
    if (object < 0) {
      partition.object_of.push_back(-1);
      continue;
    }
    if (number[object] < 0) {
      number[object] = static_cast<int>(partition.slots_in.size());
      partition.slots_in.push_back(0);
      if (original != nullptr) {
        original->push_back(object);
      }
    }
    partition.object_of.push_back(number[object]);
    ++partition.slots_in[number[object]];
  }
  return partition;
}

Partition make_partition(const Partition& whole, const std::vector<int>& members,
                         std::vector<int>* original) {
  std::vector<int> object_of;
  object_of.reserve(members.size());
  for (int member : members) {
    object_of.push_back(whole.object_of[member]);
  }
  return make_partition(object_of, original);
}

}  // namespace nestbind::machine
