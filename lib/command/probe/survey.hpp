// SPDX-License-Identifier: BSD-3-Clause
// What is measured on a machine: which pairs of processors, which nodes' memory from where, and who
// is whose partner where all talk at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "machine/hardware.hpp"
#include "probe/instrument.hpp"

namespace nestbind::probe {

// Pairs that should be equally far: the smallest object around both is of the same level of the
// tree, and they are on the same node, or on the same two nodes. On machines with more than eight
// nodes: on two nodes of the same distance by the firmware's table, or where it has none, on any
// two.
struct Kind {
  std::string name;         // "same L3", "nodes 0 and 1", "nodes at distance 16"
  std::vector<Pair> pairs;  // that are measured
  int all = 0;              // how many there are
};

// All pairs of a pattern talk at once; a processor is in one pair at most.
struct Pattern {
  std::string name;  // "near", "random", "1 hop", "2 hops"
  std::vector<Pair> pairs;
};

// A node with processors that are used. Nodes that share processors with an earlier one (memory of
// another kind beside) are left out.
struct NodeSubject {
  int row = 0;                    // of Hardware::numa_processors and Hardware::numa_distance
  int number = 0;                 // the operating system's
  std::vector<int> processors{};  // the first of each core, in topology order
};

struct Survey {
  std::vector<int> cores;                 // a processor of each that is used, in topology order
  std::vector<std::vector<int>> kind_of;  // of two of them, of `kinds`; -1: of one and itself
  std::vector<Kind> kinds;
  std::vector<NodeSubject> nodes;
  std::vector<Pattern> patterns;  // where there are two pairs at least
};

struct Wanted {
  bool full = false;       // all pairs of cores, in place of three of each kind
  std::uint64_t seed = 1;  // which three, and who is whose partner at random
};

// hardware: the whole machine; processors that are not allowed are left out.
Survey plan_survey(const machine::Hardware& hardware, const Wanted& wanted);

}  // namespace nestbind::probe
