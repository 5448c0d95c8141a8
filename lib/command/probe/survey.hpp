// SPDX-License-Identifier: BSD-3-Clause
// Chooses what to measure on a machine: pairs of processors, reads of nodes' memory, and the
// partners in patterns. In a pattern all cores exchange messages at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "machine/hardware.hpp"
#include "probe/instrument.hpp"

namespace nestbind::probe {

// Pairs that should have the same distance. Inside nodes, the smallest objects around the pairs are
// at the same level. On two nodes, the pairs have the same two nodes. If there are more than eight
// nodes, pairs on two nodes have the same distance in the firmware's table instead. Without a
// table, the smallest objects around these pairs are at the same level.
struct Kind {
  std::string name;         // "same L3", "nodes 0 and 1", "nodes at distance 16"
  std::vector<Pair> pairs;  // the measured pairs
  int all = 0;              // number of all pairs
};

// Pairs that exchange messages at the same time. A processor is in at most one pair.
struct Pattern {
  std::string name;  // "near", "random", "1 hop", "2 hops"
  std::vector<Pair> pairs;
};

// A node with used processors. Of several nodes with the same processors, only the first is kept.
struct NodeSubject {
  int row = 0;                    // index in Hardware::numa_processors and Hardware::numa_distance
  int number = 0;                 // the operating system's number
  std::vector<int> processors{};  // the first processor of each core, in topology order
};

struct Survey {
  std::vector<int> cores;                 // a processor of each used core, in topology order
  std::vector<std::vector<int>> kind_of;  // [core][core]: an index in `kinds`; -1 on the diagonal
  std::vector<Kind> kinds;
  std::vector<NodeSubject> nodes;
  std::vector<Pattern> patterns;  // only patterns with at least two pairs
};

struct Wanted {
  bool full = false;       // whether to measure all pairs of cores, not only three of each kind
  std::uint64_t seed = 1;  // for the choice of three pairs, and for random partners
};

// hardware: the whole machine, of which only allowed processors are used.
Survey plan_survey(const machine::Hardware& hardware, const Wanted& wanted);

}  // namespace nestbind::probe
