// SPDX-License-Identifier: BSD-3-Clause
// What to measure on a machine (pairs of processors, reads, and patterns), and the results.
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

struct PairFound {
  Pair pair;
  Measured measured;  // a round trip of 64 bytes, without other traffic
};

struct KindFound {
  std::string name;
  int all = 0;
  std::vector<PairFound> pairs;
  double ns = 0;   // the geometric mean of the measured pairs
  int number = 0;  // the kind's class; class 0 is the nearest
};

struct NodeFound {
  double ns = 0;
  double factor = 1;
  double gigabytes = 0;  // per second, by all cores of the node
  int number = 0;        // the latency's class; class 0 is the nearest
  bool is_read_reliable = false;
  bool is_bandwidth_reliable = false;
  bool is_reliable() const { return is_read_reliable && is_bandwidth_reliable; }
};

struct ExchangeFound {
  int bytes = 0;
  double alone = 0;
  double together = 0;  // mean ns of a round trip, if all pairs run at once
  double slowest = 0;
  double gigabytes = 0;  // per second, all pairs together
  bool is_reliable = false;
};

struct PatternFound {
  std::string name;
  int pairs = 0;
  std::vector<ExchangeFound> exchanges;
};

struct Found {
  std::vector<int> cores;
  std::vector<std::vector<int>> kind_of;
  std::vector<KindFound> kinds;
  std::vector<NodeSubject> nodes;
  std::vector<std::vector<NodeFound>> matrix;  // [from][to], indexed as `nodes`
  std::vector<PatternFound> patterns;
  int kind_classes = 0;
  int node_classes = 0;
  int least_batches = 0;
  int most_batches = 0;
  int numbers = 0;
  int unreliable = 0;
  double seconds = 0;

  bool is_reliable() const { return unreliable == 0; }
  bool has_structure() const { return kind_classes > 1 || node_classes > 1; }
  bool has_distances() const;
};

// All distances of a class get the geometric mean of the class.
std::vector<std::vector<double>> distances_of(const Found& found);

Found probe(const Survey& survey, Instrument& instrument, const Rules& rules,
            const Progress& progress);

}  // namespace nestbind::probe
