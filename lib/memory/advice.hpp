// SPDX-License-Identifier: BSD-3-Clause
// What is wrong with a region of memory, what would mend it, and what that would be worth: from who
// was seen to use it, and where it lies.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memory/samples.hpp"

namespace nestbind::memory {

// Where a region's pages were touched first, if that was sampled.
struct FirstTouch {
  int thread = -1;  // -1: not seen
  double part = 0;  // of the first touches that were seen, per cent
};

struct RegionFacts {
  Range range;
  std::vector<std::uint64_t> bytes_on;  // by node, as the kernel tells
  Seen seen{1};                         // units with enough samples, with homes
  bool are_writes_known = false;        // seen.writes() says whether a unit was written
  FirstTouch first_touch;
  std::uint64_t samples = 0;  // all that were taken in the region
};

enum class Remedy {
  kUnseen,      // too little was seen: no advice
  kNone,        // nothing to mend
  kBlock,       // consecutive parts, each to the node that uses it
  kLocal,       // all to the one node that uses it
  kOwn,         // each page to its user, where parts are not consecutive: next touch
  kInterleave,  // evenly over the nodes
  kReplicate    // a copy on each node that uses it
};

struct Figures {
  double local = 100;    // per cent
  double imbalance = 0;  // per cent
};

struct Advice {
  Remedy remedy = Remedy::kUnseen;
  Figures now;
  Figures after;      // with the remedy, by the same samples; as now, where there is none
  double damage = 0;  // what the remedy would save: samples times modelled cycles; 0: nothing
  double own = 0;     // per cent of the samples that are of units which one node uses
  std::vector<double> users;  // per cent of the samples by node
};

// What is wrong with a region.
Advice advice_on(const RegionFacts& facts);

// Cycles of an access, as modelled from the paper's measurements (240 local, 300 remote, up to 1200
// where all go to one of four controllers): for comparing, no prediction.
double modelled_cycles(const Figures& figures);

// What only the command can find out: it reads the program's debug information. Each begins as a
// mark that stands for it in a text.
struct Names {
  std::string place = "@place@";  // "init_grid (grid.c:120)"
  std::string line = "@line@";    // "grid.c:120"
  std::string array = "@array@";  // "grid"
  bool operator==(const Names&) const = default;
};

struct Told {
  const char* source = "";  // where samples come from: "NUMA hint faults"
  std::vector<int> nodes;   // the machine's number of each node
};

// Three lines for people, each with a newline:
//   region 7f..000 4.0 GiB  first touched by thread 0 in init_grid (grid.c:120) 100 %  on node 0:
//   100 %
//     used by: nodes 0..3, 25 % each; each page by one node (97 %)  sampled: NUMA hint faults,
//     41,214 local 25 %, imbalance 200 %  ->  BLOCK distribution: local 97 %, imbalance 2 %.  In
//     the source: ...
std::string sentences(const RegionFacts& facts, const Advice& advice, const Told& told,
                      const Names& names);

// A text with the marks of Names replaced.
std::string filled(std::string text, const Names& names);

}  // namespace nestbind::memory
