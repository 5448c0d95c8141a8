// SPDX-License-Identifier: BSD-3-Clause
// The NUMA nodes of this machine, as /sys/devices/system/node tells them (sysfs-devices-node of the
// kernel's Documentation/ABI). Not hwloc: it would have to be loaded, and reads all of the machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "memory/kernel/node_set.hpp"

namespace nestbind::memory::kernel {

inline constexpr char kNodeFolder[] = "/sys/devices/system/node";

// Without NUMA, or where the folder cannot be read: one node, 0, which all processors are on.
struct Nodes {
  std::vector<int> numbers;                // ascending; at least one
  std::vector<int> of_processor;           // by the processor's number; -1: on none
  std::vector<std::vector<int>> distance;  // by position in `numbers`; empty: not told

  int count() const { return static_cast<int>(numbers.size()); }
  // The node of a processor; the first one where that is not told.
  int of(int processor) const;
  // The node of `among` that is nearest to `node`: that itself, or the least distance, of equal
  // ones the lowest number. `node` where there is none.
  int nearest(int node, const NodeSet& among) const;
};

// folder: kNodeFolder, or one like it. Throws std::bad_alloc only.
Nodes read_nodes(const std::string& folder);

// Those of this machine, read once. Throws std::bad_alloc only. Not async-signal-safe.
const Nodes& nodes();

// Of a node's memory, as nodeN/meminfo tells; none if it cannot be read.
std::optional<unsigned long long> free_bytes(const std::string& folder, int node);

}  // namespace nestbind::memory::kernel
