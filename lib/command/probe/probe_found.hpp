// SPDX-License-Identifier: BSD-3-Clause
// The results of a probe.
#pragma once

#include <string>
#include <vector>

#include "probe/measure.hpp"
#include "probe/survey.hpp"

namespace nestbind::probe {

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
