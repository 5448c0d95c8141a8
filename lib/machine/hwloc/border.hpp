// SPDX-License-Identifier: BSD-3-Clause
// The border of libnestbind-topology.so, which has hwloc and is loaded where no cache tells the
// machine. C types only; no exception crosses it.
#pragma once

#include <cstddef>

namespace nestbind::machine::hwloc {

struct Record {
  char* bytes;  // as cache::encode() writes them, to be freed; null: not read
  std::size_t size;
  char message[512];  // why not; empty: no memory
};

struct TopologyApi {
  // The running system. What a user hands over is read in another process (reader/border.hpp).
  void (*read)(Record& record);
};

// The name in hwloc of distances between NUMA nodes that were measured, in nanoseconds; all others
// are the firmware's.
inline constexpr char kProbedName[] = "nestbind probe";

// Exported by libnestbind-topology.so.
inline constexpr char kTopologySymbol[] = "nestbind_topology_3";
inline constexpr char kTopologyFile[] = "libnestbind-topology.so";

}  // namespace nestbind::machine::hwloc
