// SPDX-License-Identifier: BSD-3-Clause
// What tells how well a program's memory lies: the figures of M. Dashti and others, *Traffic
// Management: A Holistic Approach to Memory Placement on NUMA Systems* (ASPLOS 2013), as their
// published program computes them. Nodes are numbered from 0 without gaps: which of the machine's
// nodes is which number is the caller's.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace nestbind::memory {

// More nodes than a set of them has bits are not managed.
inline constexpr int kMostNodes = 64;

// A set of nodes: bit n is node n.
using NodeSet = std::uint64_t;
constexpr bool has(NodeSet set, int node) { return (set >> node & 1U) != 0; }

// Accesses to memory of one interval, counted or sampled. Below 2^57 altogether.
struct Traffic {
  std::vector<std::uint64_t> to;  // to the memory of each node
  std::uint64_t local = 0;        // of all these, by processors of the same node

  std::uint64_t all() const;
  bool operator==(const Traffic&) const = default;
};

// 100 times the sample standard deviation (of n-1) of the nodes' accesses, divided by their mean.
// 0 where there is one node, or no access.
double imbalance(std::span<const std::uint64_t> to);

// Whether that is above a bound, exactly. The bound in per cent.
bool is_imbalance_above(std::span<const std::uint64_t> to, std::uint64_t bound);

// The local access ratio (LAR), in per cent. 100 where there is no access: nothing is remote.
double local_ratio(const Traffic& traffic);

// Whether that is below a bound, exactly. The bound in per cent.
bool is_local_below(const Traffic& traffic, std::uint64_t bound);

// How much a program asks of memory, where that can be counted: samples of page faults cannot tell.
enum class Intensity { kUnknown, kLow, kHigh };

// High from 50 accesses a microsecond on (MAPTU). Unknown where the time is 0.
Intensity intensity(std::uint64_t accesses, std::uint64_t microseconds);

}  // namespace nestbind::memory
