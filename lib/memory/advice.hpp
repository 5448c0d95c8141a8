// SPDX-License-Identifier: BSD-3-Clause
// What is wrong with a region of memory, what would mend it, and what that would be worth: from who
// was seen to use it, and where it lies.
#pragma once

#include <cstdint>
#include <vector>

#include "memory/seen.hpp"

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
  kOwn,         // each page to its user, where parts are not consecutive
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

// What is wrong with a region. Nothing is said of one of which fewer than 16 units, and fewer than
// half, were seen, or where it is not known of most of them where they lay; nothing is to mend
// where 80 % of the accesses are local (Carrefour's bound), or where no remedy would save 5 %.
// Units of which 90 % of the samples are one node's count as its own.
Advice advice_on(const RegionFacts& facts, const PageSizes& sizes);

// Cycles of an access, as modelled from the paper's measurements (240 local, 300 remote, up to 1200
// where all go to one of four controllers): for comparing, no prediction.
double modelled_cycles(const Figures& figures);

}  // namespace nestbind::memory
