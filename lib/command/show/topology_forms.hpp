// SPDX-License-Identifier: BSD-3-Clause
// The geometry between a machine's slots: the output of `nestbind topology`.
#pragma once

#include <string>

#include "machine/hardware.hpp"
#include "machine/machine_topology.hpp"
#include "show/layout.hpp"
#include "topology/geometry.hpp"

namespace nestbind::show {

struct Between {
  Between(const machine::Topology& topology, const machine::Machine& of, const Layout* layout);

  std::string summary;
  machine::Machine machine;
  topology::Geometry geometry;
  // For each slot, the path of its first thread; empty if the slot has no thread.
  std::vector<std::vector<int>> threads;
};

struct Parts {
  bool hops;
  bool coordinates;
};

// If no part is requested, the text has hops, distances and NUMA factors between NUMA nodes.
std::string text_of(const Between& between, const Parts& asked);

// Writes JSON for programs:
// {"machine", "dimensions": [{"kind", "size"}], "distances": "none" | "firmware" | "probed",
//  "nodes", "hops", "distance", "numa_factor",
//  "slots": [{"slot", "coordinates", "cpus", "core", "package", "numa", "path"}]}
std::string json_of(const Between& between);

// The sizes of caches, and the memory of each NUMA node. In JSON:
// {"caches": [{"kind", "kib", "cores", "caches"}], "memory": [{"node", "mib"}]}
std::string details_of(const machine::Hardware& hardware, bool in_json);

}  // namespace nestbind::show
