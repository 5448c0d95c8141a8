// SPDX-License-Identifier: BSD-3-Clause
// What hwloc says of a machine, without hwloc's types: processors in topology order, and the
// objects above them. What holds of them is in invariants.hpp.
#pragma once

#include <vector>

namespace nestbind::machine {

enum class Type { kMachine, kGroup, kPackage, kDie, kL1, kL2, kL3, kL4, kL5, kCore };

// One of hwloc's normal objects. A processor without a core has a kCore of its own.
struct Object {
  Type type = Type::kGroup;
  bool is_board = false;
  int level = 0;  // hwloc's depth; all objects of a level have one type
  int begin = 0;  // processors [begin, end)
  int end = 0;
  std::vector<int> children{};  // indices into Hardware::objects
  bool operator==(const Object&) const = default;
};

struct Hardware {
  std::vector<int> cpus;         // of each processor, the operating system's number
  std::vector<bool> is_allowed;  // of each processor
  std::vector<int> speed;        // of each processor, the rank of its kind of core, the fastest
                                 // highest; empty unless several kinds are known
  bool has_cores = false;        // whether it reports any; otherwise a processor is its own core
  std::vector<Object> objects;   // parents before children; objects[0] is the machine
  std::vector<std::vector<int>> numa_processors;  // of each NUMA node, by logical index
  std::vector<int> numa_numbers;  // likewise the operating system's; empty: those are the same
  // Latency between NUMA nodes: what counts (the firmware's, or empty, until the next is chosen),
  // and what was measured of it in nanoseconds, or empty.
  std::vector<std::vector<unsigned>> numa_distance;
  std::vector<std::vector<unsigned>> probed_distance;
  bool numa_distance_in_ns = false;  // what counts was measured
  bool operator==(const Hardware&) const = default;
};

// The operating system's number of a NUMA node; -1 for -1.
int numa_number(const Hardware& hardware, int logical);

// From now on what was measured counts (NESTBIND_MACHINE_DISTANCES=probed). Returns whether
// anything was; otherwise nothing changes.
bool use_probed_distances(Hardware& hardware);

// The same without the processors that are not allowed, and without the objects that then have
// none; NUMA nodes are left as they were. The order of what stays does not change.
Hardware restrict_to_allowed(const Hardware& whole);

}  // namespace nestbind::machine
