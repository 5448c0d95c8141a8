// SPDX-License-Identifier: BSD-3-Clause
// What a probe finds.
#pragma once

#include <string>
#include <vector>

#include "probe/measure.hpp"
#include "probe/survey.hpp"

namespace nestbind::probe {

struct PairFound {
  Pair pair;
  Measured measured;  // a round trip of 64 bytes, alone
};

struct KindFound {
  std::string name;
  int all = 0;  // pairs of this kind
  std::vector<PairFound> pairs;
  double ns = 0;   // their geometric mean
  int number = 0;  // its class: from 0, the nearest
};

// From the processors of one node to the memory of another.
struct NodeFound {
  double ns = 0;         // a read that waits for the one before
  double factor = 1;     // over that from the same node to its own memory (the NUMA factor)
  double gigabytes = 0;  // a second, by all cores of the node
  int number = 0;        // its class: from 0, the nearest
  bool is_read_reliable = false;
  bool is_bandwidth_reliable = false;
  bool is_reliable() const { return is_read_reliable && is_bandwidth_reliable; }
};

struct ExchangeFound {
  int bytes = 0;
  double alone = 0;      // ns for a round trip: the mean of some pairs, each alone
  double together = 0;   // all at once: their mean
  double slowest = 0;    // and the slowest of them
  double gigabytes = 0;  // a second, all pairs together
  bool is_reliable = false;
};

struct PatternFound {
  std::string name;
  int pairs = 0;
  std::vector<ExchangeFound> exchanges;  // by size
};

struct Found {
  std::vector<int> cores;                 // as Survey's
  std::vector<std::vector<int>> kind_of;  // likewise
  std::vector<KindFound> kinds;
  std::vector<NodeSubject> nodes;
  std::vector<std::vector<NodeFound>> matrix;  // from, to: as `nodes`
  std::vector<PatternFound> patterns;
  int kind_classes = 0;
  int node_classes = 0;
  int least_batches = 0;
  int most_batches = 0;
  int numbers = 0;     // that were measured
  int unreliable = 0;  // of them
  double seconds = 0;

  bool is_reliable() const { return unreliable == 0; }
  bool has_structure() const { return kind_classes > 1 || node_classes > 1; }
  // Whether the distances between nodes say anything, and can be relied upon.
  bool has_distances() const;
};

// Reads from node to node, ns, as a plan is to take them, from, to: all of one class have the same
// number, their geometric mean, so that what is not known to differ does not.
std::vector<std::vector<double>> distances_of(const Found& found);

// Throws what the instrument throws.
Found probe(const Survey& survey, Instrument& instrument, const Rules& rules,
            const Progress& progress);

}  // namespace nestbind::probe
