// SPDX-License-Identifier: BSD-3-Clause
// The NUMA nodes of this machine, from /sys/devices/system/node (sysfs-devices-node of the kernel's
// Documentation/ABI). hwloc is slower, because hwloc reads the whole machine.
#pragma once

#include <string>
#include <vector>

#include "memory/kernel/node_set.hpp"

namespace nestbind::memory::kernel {

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
