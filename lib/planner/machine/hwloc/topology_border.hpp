// SPDX-License-Identifier: BSD-3-Clause
// The interface of libnestbind-topology.so, which contains hwloc. The interface has only C types,
// and the functions throw no exceptions.
#pragma once

#include <cstddef>

namespace nestbind::machine::hwloc {

struct Record {
  char* bytes;  // made by cache::encode(). The caller frees the bytes. Null after a failure
  std::size_t size;
  char message[1024];  // the reason of a failure; empty if there is no memory
};

// A row is for the processors of a NUMA node, a column for the memory of a node. Rows and columns
// are in the order of hwloc's logical numbers. 0 means not measured.
struct Measured {
  unsigned nodes;
  const unsigned* ns;         // latency of a read
  const unsigned* megabytes;  // per second
};

// hwloc's name for the measured distances of NUMA nodes.
inline constexpr char kProbedName[] = "nestbind probe";

struct TopologyApi {
  void (*read)(const char* source, bool with_devices, Record& record);
  // Writes the running system as hwloc's XML, with the measurements as memory attributes and as
  // distances. If writing failed, `message` is the reason.
  void (*write)(const char* file, const Measured& measured, Record& record);
};

inline constexpr char kTopologySymbol[] = "nestbind_topology_6";
inline constexpr char kTopologyFile[] = "libnestbind-topology.so";

}  // namespace nestbind::machine::hwloc
