// SPDX-License-Identifier: BSD-3-Clause
#include "machine/partition.hpp"

#include <algorithm>

namespace nestbind::machine {
namespace {

// Numbers the objects, below `objects`, that `object(member)` tells for each of `members`.
template <typename ObjectOf>
Partition number_objects(std::size_t members, int objects, const ObjectOf& object,
                         std::vector<int>* original) {
  std::vector<int> number(objects, -1);
  Partition partition;
  partition.object_of.resize(members, -1);
  partition.slots_in.reserve(objects);
  for (std::size_t member = 0; member < members; ++member) {
    const int here = object(member);
    if (here < 0) {
      continue;
    }
    if (number[here] < 0) {
      number[here] = static_cast<int>(partition.slots_in.size());
      partition.slots_in.push_back(0);
      if (original != nullptr) {
        original->push_back(here);
      }
    }
    partition.object_of[member] = number[here];
    ++partition.slots_in[number[here]];
  }
  return partition;
}

int number_of_objects(const std::vector<int>& object_of) {
  return object_of.empty() ? 0 : *std::max_element(object_of.begin(), object_of.end()) + 1;
}

}  // namespace

Partition make_partition(const std::vector<int>& object_of, std::vector<int>* original) {
  return number_objects(
      object_of.size(), number_of_objects(object_of),
      [&](std::size_t member) { return object_of[member]; }, original);
}

Partition make_partition(const Partition& whole, const std::vector<int>& members,
                         std::vector<int>* original) {
  if (members.size() == whole.object_of.size() && original == nullptr && !whole.slots_in.empty()) {
    return whole;
  }
  const int objects = whole.slots_in.empty() ? number_of_objects(whole.object_of)
                                             : static_cast<int>(whole.slots_in.size());
  return number_objects(
      members.size(), objects, [&](std::size_t member) { return whole.object_of[members[member]]; },
      original);
}

}  // namespace nestbind::machine
