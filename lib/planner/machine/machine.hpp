// SPDX-License-Identifier: BSD-3-Clause
// The slots that a process may use, as a tree. A plan uses no other facts about a machine.
#pragma once

#include <array>
#include <vector>

#include "spec/kind.hpp"

namespace nestbind::machine {

using spec::Kind;
using spec::kKinds;

// A place for one thread, in one core. Slots are numbered in topology order. numbers.hpp explains
// the numbers of objects. A missing object has the number -1.
struct Slot {
  std::vector<int> cpus;  // the operating system's numbers, in topology order
  int core = -1;
  int l2 = -1;
  int l3 = -1;
  int numa = -1;  // the smallest NUMA node around the slot
  int package = -1;
  int numa_row = -1;      // the row of the node `numa` in Machine::numa_distance
  int numa_logical = -1;  // the logical index of the node `numa`
  int speed = -1;  // rank of the core's kind, as in Hardware; equal if all cores are of one kind
};

// An object of the topology tree (hwloc's normal objects). Children are in topology order, and each
// child has slots. The children of a node without Node children are its slots.
struct Node {
  int begin = 0;  // slots [begin, end)
  int end = 0;
  std::vector<int> children;  // indices into Machine::nodes
};

// The objects of one kind, with their slots. Objects with the same processors are one object.
struct Partition {
  std::vector<int> object_of;  // the object of each slot, or -1
  std::vector<int> slots_in;   // the number of slots of each object, in topology order
};

struct Machine {
  std::vector<Slot> slots;
  std::vector<Node> nodes;  // nodes[0] is the machine

  // For each Kind, its objects. If the machine has no objects of a kind, the entry has the objects
  // of the next larger kind. If a slot is in two nested objects of a kind, the smaller object is
  // used.
  std::array<Partition, kKinds> kinds;

  // compact avoids blocks that lie in two of these objects: cores, caches, dies, NUMA nodes,
  // packages, boards. The smallest kind is first.
  std::vector<Partition> obstacles;

  // The largest objects that the machine has more than once, for example packages. If these objects
  // are cores or L2 caches, or if there are none, object_of is -1 everywhere.
  Partition topmost;

  // Distances of NUMA nodes, indexed by Slot::numa_row. Empty if the distances are not known.
  std::vector<std::vector<unsigned>> numa_distance;
  bool numa_distance_in_ns = false;
};

}  // namespace nestbind::machine
