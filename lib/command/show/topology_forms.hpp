// SPDX-License-Identifier: BSD-3-Clause
// What lies between the slots of a machine, as `nestbind topology` prints it.
#pragma once

#include <string>

#include "machine/machine_topology.hpp"
#include "show/layout.hpp"
#include "topology/geometry.hpp"

namespace nestbind::show {

struct Between {
  // layout: whose threads sit on the slots of `of`; null: nobody does.
  Between(const machine::Topology& topology, const machine::Machine& of, const Layout* layout);

  std::string summary;  // of the machine
  machine::Machine machine;
  topology::Geometry geometry;
  // For each slot the path of the first thread there; empty: nobody.
  std::vector<std::vector<int>> threads;
};

struct Parts {
  bool hops;
  bool coordinates;
};

// For people: a line on the machine, its dimensions, and of these only the parts that are asked
// for, or, where none is, what is between the NUMA nodes: hops, distances and NUMA factors.
std::string text_of(const Between& between, const Parts& asked);

// For programs, all of it.
// {"machine", "dimensions": [{"kind", "size"}], "distances": "none" | "firmware" | "probed",
//  "nodes", "hops", "distance", "numa_factor",
//  "slots": [{"slot", "coordinates", "cpus", "core", "package", "numa", "path"}]}
std::string json_of(const Between& between);

}  // namespace nestbind::show
