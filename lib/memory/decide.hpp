// SPDX-License-Identifier: BSD-3-Clause
// Carrefour's rules, as its published sources have them (the runtime for what is enabled, the
// kernel module for pages), as functions of counts. All comparisons are exact, in whole numbers.
// Random numbers are handed in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "memory/metrics.hpp"

namespace nestbind::memory {

// What is known of a process at the end of an interval.
struct Counts {
  Traffic traffic;
  Intensity intensity = Intensity::kUnknown;
  // Lines fetched into caches, and those of them in modified state. No refills: not known, and
  // nothing is replicated.
  std::uint64_t refills = 0;
  std::uint64_t modified = 0;
  // The machine's memory, in any unit, below 2^57. No total: not known, and nothing is replicated.
  std::uint64_t memory_total = 0;
  std::uint64_t memory_free = 0;
};

// Which of the three mechanisms the counts ask for.
struct Enabled {
  bool replication = false;   // memory use <= 25 %, and rr = 100 - % modified refills >= 95
  bool interleaving = false;  // LAR < 100 %, and imbalance > 35 %
  bool migration = false;     // LAR < 80 %

  bool any() const { return replication || interleaving || migration; }
  bool operator==(const Enabled&) const = default;
};

// Whether the program is looked at at all: where its intensity is high and there was an access.
// Where the intensity is not known: only with `always`.
bool is_on(const Counts& counts, bool always);

// What is enabled; nothing unless is_on().
Enabled enabled(const Counts& counts, bool always);

// A page, or a unit of pages, as it was sampled.
struct Page {
  std::span<const std::uint32_t> samples;  // by the node that accessed it
  std::uint32_t writes = 0;                // of these; more than 0 where it is not known
  int home = 0;                            // the node that it is on
};

enum class Fate { kStay, kReplicate, kInterleave, kMove };

struct Decision {
  Fate fate = Fate::kStay;
  int user = -1;  // of kMove: the node to move it to

  bool operator==(const Decision&) const = default;
};

// What is to become of a page, in this order: it is replicated (used by several nodes, never
// written), interleaved (used by several), or moved to its only user (sampled twice, unless
// interleaving is enabled too). A page without samples stays.
Decision fate_of(const Page& page, const Enabled& enabled);

// The first time, replication begins only where at least 500 pages ask for it; those of an interval
// that has fewer stay.
class Replication {
 public:
  static constexpr std::size_t kFirstPages = 500;

  // Whether an interval's pages are replicated, of which there are so many.
  bool takes(std::size_t pages);

 private:
  bool has_begun_ = false;
};

// What part of the accesses goes to each node, in whole per cent, rounded down; 100 each where
// there are none.
std::vector<unsigned> parts_of(std::span<const std::uint64_t> to);

// The weights by which a node is drawn, 100 - part each, together: what `pick` of node_drawn() is
// below. Above 0 for two nodes or more.
unsigned weights_of(std::span<const unsigned> parts);

// Where a page that is to be interleaved goes, the published way: x is uniform in 0 to 100, and
// only where it is at most the part of the page's node the page leaves, for a node drawn by weight
// (which may be its own again): pick is uniform in 0 to weights_of(parts) - 1.
int node_drawn(std::span<const unsigned> parts, int home, unsigned x, unsigned pick);

// Operations between two samples of the next interval: few, and accurate, where this one ordered 10
// moves or more.
constexpr std::uint32_t sampling_period(std::size_t moves) {
  constexpr std::size_t kMany = 10;
  constexpr std::uint32_t kAccurate = 65528;
  constexpr std::uint32_t kCheap = 262112;
  return moves >= kMany ? kAccurate : kCheap;
}

}  // namespace nestbind::memory
