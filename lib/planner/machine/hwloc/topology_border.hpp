// SPDX-License-Identifier: BSD-3-Clause
// The border of libnestbind-topology.so, which has hwloc and is loaded where neither a cache nor
// the command has the machine. C types only; no exception crosses it.
#pragma once

#include <cstddef>

namespace nestbind::machine::hwloc {

struct Record {
  char* bytes;  // as cache::encode() writes them, to be freed; null: not read
  std::size_t size;
  char message[1024];  // why not; empty: no memory
};

// What was measured between NUMA nodes, by hwloc's logical numbers: rows of `nodes` numbers each,
// from a node's processors to the memory of another. 0: not measured.
struct Measured {
  unsigned nodes;
  const unsigned* ns;         // of a read
  const unsigned* megabytes;  // a second
};

// The name in hwloc of distances between NUMA nodes that were measured, in nanoseconds; all others
// are the firmware's.
inline constexpr char kProbedName[] = "nestbind probe";

struct TopologyApi {
  // source: as that of read_hardware() (read.hpp).
  void (*read)(const char* source, Record& record);
  // Writes the running system as hwloc's XML, with what was measured: as distances of the name
  // above (means latency, from the user), and as the attributes of memory Latency and Bandwidth.
  // `bytes` of the record stays null; a message: why it was not written.
  void (*write)(const char* file, const Measured& measured, Record& record);
};

// Exported by libnestbind-topology.so.
inline constexpr char kTopologySymbol[] = "nestbind_topology_5";
inline constexpr char kTopologyFile[] = "libnestbind-topology.so";

}  // namespace nestbind::machine::hwloc
