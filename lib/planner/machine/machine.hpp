// SPDX-License-Identifier: BSD-3-Clause
// The slots that a process may use, as a tree: all that a plan needs to know of a machine.
#pragma once

#include <array>
#include <vector>

#include "spec/kind.hpp"

namespace nestbind::machine {

using spec::Kind;
using spec::kKinds;

// A place for one thread. Slots are numbered in topology order. The objects around it have the
// machine's own numbers (numbers.hpp); -1: none.
struct Slot {
  std::vector<int> cpus;  // the operating system's numbers, in topology order
  int core = -1;
  int l2 = -1;
  int l3 = -1;
  int numa = -1;  // the smallest NUMA node around the slot
  int package = -1;
  int numa_row = -1;      // of that node in Machine::numa_distance
  int numa_logical = -1;  // its logical index
};

// An object of the topology tree (hwloc's normal objects). Children are in order, and each has
// slots; a node without children has its slots as children.
struct Node {
  int begin = 0;  // slots [begin, end)
  int end = 0;
  std::vector<int> children;  // indices into Machine::nodes
};

// The slots by objects of one kind. Objects with the same processors count once, objects without
// slots not at all.
struct Partition {
  std::vector<int> object_of;  // for each slot its object, -1: in none
  std::vector<int> slots_in;   // for each object, in topology order, how many slots it has
};

struct Machine {
  std::vector<Slot> slots;
  std::vector<Node> nodes;  // nodes[0] is the machine

  // For each Kind the objects that count as such: where the machine has none of the kind, those of
  // the next larger kind by containment. The smallest object around a slot, where they nest.
  std::array<Partition, kKinds> kinds;

  // What a compact block may not straddle: cores, caches, dies, NUMA nodes, packages, boards; the
  // smallest kind first. Kinds that the machine does not have are left out.
  std::vector<Partition> obstacles;

  // The topmost branching objects: of the first level, from the machine down, that has several.
  // object_of is -1 throughout where that level is cores or L2s, or where there is none.
  Partition topmost;

  // Between NUMA nodes by Slot::numa_row, as the machine reports it, or in nanoseconds, as it was
  // measured; empty where it was not told.
  std::vector<std::vector<unsigned>> numa_distance;
  bool numa_distance_in_ns = false;
};

}  // namespace nestbind::machine
