// SPDX-License-Identifier: BSD-3-Clause
#include "machine/partition.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace nestbind::machine {

Partition make_partition(std::vector<int> object_of, std::vector<int>* original) {
  const auto largest = std::max_element(object_of.begin(), object_of.end());
  const int objects = largest == object_of.end() ? 0 : *largest + 1;
  std::vector<int> number(objects, -1);
  Partition partition;
  partition.slots_in.reserve(objects);
  for (int& object : object_of) {
    if (object < 0) {
      continue;
    }
    int& here = number[object];
    if (here < 0) {
      here = static_cast<int>(partition.slots_in.size());
      partition.slots_in.push_back(0);
      if (original != nullptr) {
        original->push_back(object);
      }
    }
    object = here;
    ++partition.slots_in[here];
  }
  partition.object_of = std::move(object_of);
  return partition;
}

Partition make_partition(const Partition& whole, const std::vector<int>& members,
                         std::vector<int>* original) {
  if (members.size() == whole.object_of.size() && original == nullptr && !whole.slots_in.empty()) {
    return whole;
  }
  std::vector<int> object_of(members.size());
  std::transform(members.begin(), members.end(), object_of.begin(),
                 [&](int member) { return whole.object_of[member]; });
  return make_partition(std::move(object_of), original);
}

int count_objects(const Partition& partition, const std::vector<int>& members) {
  std::set<int> objects;
  for (const int member : members) {
    objects.insert(partition.object_of[member]);
  }
  objects.erase(-1);
  return std::max(1, static_cast<int>(objects.size()));
}

}  // namespace nestbind::machine
