// SPDX-License-Identifier: BSD-3-Clause
// Adds measurements to hwloc's topology.
#include "machine/hwloc/write.hpp"

#include <hwloc.h>

#include <cerrno>
#include <cstddef>
#include <memory>
#include <system_error>
#include <vector>

#include "machine/machine_topology.hpp"

namespace nestbind::machine::hwloc {
namespace {

struct DestroyWritten {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using WrittenTopology = std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, DestroyWritten>;

[[noreturn]] void fail(const std::string& what) {
  throw Unreadable(what + ": " + std::generic_category().message(errno));
}

// NUMA nodes have the same logical numbers as in read_hwloc.cpp.
WrittenTopology load() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) {
    fail("cannot start hwloc");
  }
  WrittenTopology topology(raw);
  // The x86 backend would move the calling thread to each processor to query it.
  hwloc_topology_set_components(raw, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
  hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  if (hwloc_topology_load(raw) != 0) {
    fail("hwloc cannot read this machine");
  }
  return topology;
}

struct Node {
  unsigned row = 0;  // in the matrices of measurements
  hwloc_obj_t object = nullptr;
};

std::vector<Node> measured_nodes(hwloc_topology_t topology, const Measured& measured) {
  std::vector<Node> nodes;
  for (unsigned row = 0; row < measured.nodes; ++row) {
    hwloc_obj_t object = hwloc_get_obj_by_type(topology, HWLOC_OBJ_NUMANODE, row);
    if (object != nullptr && measured.ns[std::size_t{row} * measured.nodes + row] != 0) {
      nodes.push_back({row, object});
    }
  }
  return nodes;
}

void add_distances(hwloc_topology_t topology, const Measured& measured,
                   const std::vector<Node>& nodes) {
  std::vector<hwloc_obj_t> objects;
  std::vector<hwloc_uint64_t> values;
  for (const Node& from : nodes) {
    objects.push_back(from.object);
    for (const Node& to : nodes) {
      values.push_back(measured.ns[std::size_t{from.row} * measured.nodes + to.row]);
    }
  }
  const hwloc_distances_add_handle_t handle = hwloc_distances_add_create(
      topology, kProbedName, HWLOC_DISTANCES_KIND_FROM_USER | HWLOC_DISTANCES_KIND_MEANS_LATENCY,
      0);
  if (handle == nullptr ||
      hwloc_distances_add_values(topology, handle, static_cast<unsigned>(nodes.size()),
                                 objects.data(), values.data(), 0) != 0 ||
      hwloc_distances_add_commit(topology, handle, 0) != 0) {
    fail("hwloc rejects the distances");
  }
}

// Adds the attributes Latency and Bandwidth. hwloc before version 2.8 has no attributes for reads
// only.
void add_attributes(hwloc_topology_t topology, const Measured& measured,
                    const std::vector<Node>& nodes) {
  for (const Node& from : nodes) {
    hwloc_location processors{};
    processors.type = HWLOC_LOCATION_TYPE_CPUSET;
    processors.location.cpuset = from.object->cpuset;
    for (const Node& to : nodes) {
      const std::size_t at = std::size_t{from.row} * measured.nodes + to.row;
      if (hwloc_memattr_set_value(topology, HWLOC_MEMATTR_ID_LATENCY, to.object, &processors, 0,
                                  measured.ns[at]) != 0 ||
          hwloc_memattr_set_value(topology, HWLOC_MEMATTR_ID_BANDWIDTH, to.object, &processors, 0,
                                  measured.megabytes[at]) != 0) {
        fail("hwloc rejects the attributes of memory");
      }
    }
  }
}

}  // namespace

void write_xml(const std::string& file, const Measured& measured) {
  const WrittenTopology topology = load();
  const std::vector<Node> nodes = measured_nodes(topology.get(), measured);
  add_distances(topology.get(), measured, nodes);
  add_attributes(topology.get(), measured, nodes);
  if (hwloc_topology_export_xml(topology.get(), file.c_str(), 0) != 0) {
    fail("cannot write '" + file + "'");
  }
}

}  // namespace nestbind::machine::hwloc
