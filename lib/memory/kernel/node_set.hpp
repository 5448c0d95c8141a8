// SPDX-License-Identifier: BSD-3-Clause
// Sets of NUMA nodes in the layout of the kernel's calls.
#pragma once

namespace nestbind::memory::kernel {

inline constexpr int kMostNodes = 1024;  // all node numbers are below this

struct NodeSet {
  static constexpr int kWordBits = 8 * sizeof(unsigned long);
  unsigned long bits[kMostNodes / kWordBits] = {};

  bool has(int node) const {
    return node >= 0 && node < kMostNodes &&
           (bits[node / kWordBits] >> (node % kWordBits) & 1) != 0;
  }
  // node: 0 to kMostNodes - 1.
  void add(int node) { bits[node / kWordBits] |= 1UL << (node % kWordBits); }
  friend bool operator==(const NodeSet&, const NodeSet&) = default;
};

}  // namespace nestbind::memory::kernel
