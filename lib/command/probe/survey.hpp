// SPDX-License-Identifier: BSD-3-Clause
// Chooses what to measure on a machine: pairs of processors, reads, and patterns.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "machine/hardware.hpp"
#include "probe/measure.hpp"

namespace nestbind::probe {

// Pairs that should have the same distance, for example all pairs inside an L3 cache, or all pairs
// on nodes 0 and 1. On a machine with more than eight nodes, two pairs of nodes are of the same
// kind if the firmware reports the same distance.
struct Kind {
  std::string name;  // "same L3", "nodes 0 and 1", "nodes at distance 16"
  std::vector<Pair> pairs;
  int all = 0;  // number of all pairs
};

// A processor is in at most one pair.
struct Pattern {
  std::string name;
  std::vector<Pair> pairs;
};

// Of several nodes with the same processors, only the first is kept.
struct NodeSubject {
  int row = 0;  // index in Hardware::numa_processors and Hardware::numa_distance
  int number = 0;
  std::vector<int> processors{};  // the first processor of each core, in topology order
};

struct Survey {
  std::vector<int> cores;                 // a processor of each used core, in topology order
  std::vector<std::vector<int>> kind_of;  // [core][core]: an index in `kinds`; -1 on the diagonal
  std::vector<Kind> kinds;
  std::vector<NodeSubject> nodes;
  std::vector<Pattern> patterns;
};

struct Wanted {
  bool full = false;  // whether to measure all pairs of cores, not only three of each kind
  std::uint64_t seed = 1;
};

// hardware: the whole machine, of which only allowed processors are used.
Survey plan_survey(const machine::Hardware& hardware, const Wanted& wanted);

}  // namespace nestbind::probe
