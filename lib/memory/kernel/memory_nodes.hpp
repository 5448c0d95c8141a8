// SPDX-License-Identifier: BSD-3-Clause
// The NUMA nodes of this machine, from /sys/devices/system/node (sysfs-devices-node of the kernel's
// Documentation/ABI). hwloc is slower, because hwloc reads the whole machine.
#pragma once

#include <string>
#include <vector>

namespace nestbind::memory::kernel {

// Sets of NUMA nodes in the layout of the kernel's calls.
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

inline constexpr char kNodeFolder[] = "/sys/devices/system/node";

// Without NUMA, or if the folder cannot be read, there is only node 0, and it has all processors.
struct Nodes {
  std::vector<int> numbers;                // ascending; at least one
  std::vector<int> of_processor;           // indexed by processor; -1 if on no node
  std::vector<std::vector<int>> distance;  // indexed like `numbers`; empty if not known

  int count() const { return static_cast<int>(numbers.size()); }
  int of(int processor) const;
  // Returns the node of `among` that is nearest to `node`. If `among` is empty, returns `node`.
  int nearest(int node, const NodeSet& among) const;
};

Nodes read_nodes(const std::string& folder);

// The nodes of this machine, read once. Throws only std::bad_alloc.
const Nodes& nodes();

}  // namespace nestbind::memory::kernel
