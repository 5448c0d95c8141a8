// SPDX-License-Identifier: BSD-3-Clause
#include "machine/tree.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "machine/partition.hpp"

namespace nestbind::machine {
namespace {

class Tree {
 public:
  Tree(const Hardware& hardware, const SlotsBefore& slots_before)
      : hardware_(hardware), slots_before_(slots_before) {
    nodes_.reserve(hardware.objects.size());
  }

  // Adds an object and all below it. Returns its node.
  int add(int index) {
    std::vector<int> below = children(index);
    while (below.size() == 1) {
      index = below[0];
      below = children(index);
    }
    const int node = static_cast<int>(nodes_.size());
    nodes_.push_back({begin(index), end(index), {}});
    for (int& child : below) {
      child = add(child);
    }
    nodes_[node].children = std::move(below);
    return node;
  }

  std::vector<Node> take() { return std::move(nodes_); }

 private:
  int begin(int index) const { return slots_before_[hardware_.objects[index].begin]; }
  int end(int index) const { return slots_before_[hardware_.objects[index].end]; }

  // Those with slots. A core's children are its slots, whatever hwloc has below it.
  std::vector<int> children(int index) const {
    std::vector<int> with_slots;
    if (hardware_.objects[index].type != Type::kCore) {
      with_slots.reserve(hardware_.objects[index].children.size());
      for (int child : hardware_.objects[index].children) {
        if (begin(child) < end(child)) {
          with_slots.push_back(child);
        }
      }
    }
    return with_slots;
  }

  const Hardware& hardware_;
  const SlotsBefore& slots_before_;
  std::vector<Node> nodes_;
};

bool can_be_topmost(Type type) {
  return type != Type::kCore && type != Type::kL1 && type != Type::kL2;
}

}  // namespace

std::vector<Node> make_tree(const Hardware& hardware, const SlotsBefore& slots_before) {
  Tree tree(hardware, slots_before);
  tree.add(0);
  return tree.take();
}

Partition make_topmost(const Hardware& hardware, const SlotsBefore& slots_before) {
  std::map<int, std::vector<const Object*>> levels;
  for (const Object& object : hardware.objects) {
    if (slots_before[object.begin] < slots_before[object.end]) {
      levels[object.level].push_back(&object);
    }
  }
  std::vector<int> object_of(slots_before.back(), -1);
  const auto branching = std::find_if(levels.begin(), levels.end(),
                                      [](const auto& level) { return level.second.size() > 1; });
  if (branching != levels.end() && can_be_topmost(branching->second.front()->type)) {
    int number = 0;
    for (const Object* object : branching->second) {
      std::fill(object_of.begin() + slots_before[object->begin],
                object_of.begin() + slots_before[object->end], number++);
    }
  }
  return make_partition(object_of);
}

}  // namespace nestbind::machine
