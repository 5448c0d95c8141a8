// SPDX-License-Identifier: BSD-3-Clause
// The border of libnestbind-topology.so, which contains hwloc. It is loaded if neither a cache nor
// the command has the machine. C types only; no exception crosses the border.
#pragma once

#include <cstddef>

namespace nestbind::machine::hwloc {

struct Record {
  char* bytes;  // from cache::encode(), for free(); null: not read
  std::size_t size;
  char message[1024];  // the reason; empty: there is no memory
};

// Measurements between NUMA nodes. A row is for the processors of a node, a column for the memory
// of a node, both in the order of hwloc's logical numbers. 0: not measured.
struct Measured {
  unsigned nodes;
  const unsigned* ns;         // latency of a read
  const unsigned* megabytes;  // per second
};

// hwloc's name for measured distances of NUMA nodes, in ns. All other distances are the firmware's.
inline constexpr char kProbedName[] = "nestbind probe";

struct TopologyApi {
  // source: as for read_hardware() (read_hwloc.hpp).
  void (*read)(const char* source, Record& record);
  // Writes the running system as hwloc's XML, with the measurements: as distances with the name
  // above (of hwloc's kinds "means latency" and "from user"), and as the memory attributes Latency
  // and Bandwidth. `bytes` of the record stays null. `message` says why writing failed.
  void (*write)(const char* file, const Measured& measured, Record& record);
};

// Exported by libnestbind-topology.so.
inline constexpr char kTopologySymbol[] = "nestbind_topology_5";
inline constexpr char kTopologyFile[] = "libnestbind-topology.so";

}  // namespace nestbind::machine::hwloc
