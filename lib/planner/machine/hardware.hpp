// SPDX-License-Identifier: BSD-3-Clause
// What hwloc reports about a machine, without hwloc's types: processors in topology order, and the
// objects above them.
#pragma once

#include <string>
#include <vector>

#include "mask/cpu_mask.hpp"
#include "support/decimal.hpp"

namespace nestbind::machine {

enum class Type { kMachine, kGroup, kPackage, kDie, kL1, kL2, kL3, kL4, kL5, kCore };

// One of hwloc's normal objects. Processors without a core have their own objects of Type::kCore.
struct Object {
  Type type = Type::kGroup;
  bool is_board = false;
  int level = 0;  // hwloc's depth; all objects of a level have one type
  int begin = 0;  // processors [begin, end)
  int end = 0;
  std::vector<int> children{};  // indices into Hardware::objects
  bool operator==(const Object&) const = default;
};

enum class DeviceKind { kGpu, kNic, kNvme };

// An I/O device. Its name, PCI address and UUID have at most kMostLetters characters, which JSON
// and variables need not quote.
inline constexpr std::size_t kMostLetters = 63;
constexpr bool is_of_name(char c) {
  return support::is_letter(c) || support::is_digit(c) || c == '.' || c == ':' || c == '_' ||
         c == '-';
}
struct Device {
  DeviceKind kind = DeviceKind::kGpu;
  int vendor = 0;  // the PCI number of the vendor, or 0
  // Of the machine's network cards, only those with the highest number are divided among ranks:
  // 2: with an interface of OpenFabrics; 1: of a fast network by name; 0: others.
  int choice = 0;
  std::string name{};
  std::string pci{};              // as 0000:04:00.0; may be empty
  std::string uuid{};             // as the runtime of the vendor names the GPU; may be empty
  std::string file{};             // in /dev; empty if not known
  std::vector<int> processors{};  // beside the device, ascending
  bool operator==(const Device&) const = default;
};

struct Hardware {
  std::vector<int> cpus;  // the operating system's number of each processor
  std::vector<bool> is_allowed;
  std::vector<int> speed;  // rank of each processor's kind of core, highest for the fastest;
                           // empty if only one kind is known
  bool has_cores = false;  // false if hwloc reports no cores: then each processor is its own core
  std::vector<Object> objects;  // parents before children; objects[0] is the machine
  std::vector<std::vector<int>> numa_processors;  // the processors of each node, by logical index
  std::vector<int> numa_numbers;  // the operating system's numbers; if empty, the logical indices
  // The distances that plans use (at first the firmware's), and the measured latencies in
  // nanoseconds. Each matrix may be empty.
  std::vector<std::vector<unsigned>> numa_distance;
  std::vector<std::vector<unsigned>> probed_distance;
  bool numa_distance_in_ns = false;  // whether the distances that plans use were measured
  // Devices take long to read, so `devices` is empty if nobody has asked for devices. Sorted by
  // kind, then by PCI address.
  bool has_read_devices = false;
  std::vector<Device> devices;
  // Sizes are read together with devices, because only people ask for them.
  std::vector<int> object_kib;  // of each object; 0 if it is no cache; may be empty
  std::vector<int> numa_mib;    // the memory of each node, by logical index; may be empty
  bool operator==(const Hardware&) const = default;
};

// Returns the operating system's number of a NUMA node, or -1 if `logical` is -1 (no node).
int numa_number(const Hardware& hardware, int logical);

// Returns false without measured distances.
bool use_probed_distances(Hardware& hardware);

// cpus: the operating system's numbers.
void allow_only(Hardware& whole, std::vector<int> cpus);

// Returns a copy with only the allowed processors and their objects, without NUMA nodes.
Hardware restrict_to_allowed(const Hardware& whole);

// The invariants of hardware.hpp. Hardware may come from other processes and from files.
// Linux and CPU masks have no room for more processors, or for larger processor numbers.
inline constexpr int kMostProcessors = mask::kMaxCpus;

inline constexpr int kMostDevices = 1024;

// The largest depth of the tree of objects, and of nested NUMA nodes. Both depths are limited
// because our code walks the tree by recursion.
inline constexpr int kDeepest = 100;

// Returns null if no invariant is broken, otherwise the first broken invariant in words:
// - There are 1 to kMostProcessors processors, some of them allowed; their numbers are below
//   kMostProcessors, and different. Lists that are indexed by processor have an entry for each
//   processor (`speed` may be empty).
// - objects[0] has all processors. Each object after objects[0] is the child of an earlier object.
//   The child lies within its parent, after its earlier siblings, and on a deeper level. All
//   objects of a level have one type.
// - Each processor is in one core.
// - There are at most kMostProcessors NUMA nodes. The processors of a node are in ascending order.
//   Two nodes have no processor in common, or one has all processors of the other.
// - Both kinds of distances are a matrix of all NUMA nodes, or empty.
// - There are at most kMostDevices devices. Their processors are in ascending order.
// - Sizes are those of all objects and of all NUMA nodes, or there are none.
const char* broken_invariant(const Hardware& hardware);

}  // namespace nestbind::machine
