// SPDX-License-Identifier: BSD-3-Clause
// Converts hwloc's topology to Hardware.
#include "machine/hwloc/read_hwloc.hpp"

#include <hwloc.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <system_error>

#include "machine/hwloc/read_devices.hpp"
#include "machine/hwloc/topology_border.hpp"
#include "machine/machine_topology.hpp"

namespace nestbind::machine::hwloc {
namespace {

// From hwloc's private/misc.h: the kinds of hwloc's own groups (not the firmware's).
constexpr unsigned kGroupOfDistances = 900;
constexpr unsigned kGroupOfIo = 1000;

struct Destroy {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
  void operator()(hwloc_bitmap_t bitmap) const { hwloc_bitmap_free(bitmap); }
};
using Handle = std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, Destroy>;
using Bitmap = std::unique_ptr<hwloc_bitmap_s, Destroy>;

std::string reason(int error) { return std::generic_category().message(error); }

constexpr off_t kLargestFile = off_t{64} << 20;

bool is_file(const std::string& source) {
  struct stat status{};
  if (stat(source.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) {
      throw Unreadable("'" + source + "' is a folder, not the XML file of a machine");
    }
    // Reading a device or a pipe may never end.
    if (!S_ISREG(status.st_mode)) {
      throw Unreadable("'" + source +
                       "' is a device, pipe or socket, not the XML file of a machine");
    }
    if (status.st_size > kLargestFile) {
      throw Unreadable("'" + source + "' is larger than the XML file of a machine can be (64 MiB)");
    }
    return true;
  }
  if (errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG) {
    return false;
  }
  throw Unreadable("cannot read '" + source + "': " + reason(errno));
}

Unreadable not_readable(const std::string& source) {
  return Unreadable("'" + source + "' is not an XML file that hwloc can read");
}

void set_source(hwloc_topology_t topology, const std::string& source) {
  if (source.empty()) {
    return;
  }
  if (is_file(source)) {
    // If hwloc uses libxml (a plugin), it parses the file here, otherwise in its load function.
    if (hwloc_topology_set_xml(topology, source.c_str()) != 0) {
      throw errno == EINVAL ? not_readable(source)
                            : Unreadable("cannot read '" + source + "': " + reason(errno));
    }
  } else if (described_processors(source) > kMostDescribed) {
    throw Unreadable("'" + source + "' has more than " + std::to_string(kMostDescribed) +
                     " processors, the most for a synthetic description");
  } else if (hwloc_topology_set_synthetic(topology, source.c_str()) != 0) {
    const bool lacks_threads =
        hwloc_topology_set_synthetic(topology, (source + " pu:1").c_str()) == 0;
    throw Unreadable(
        "there is no file '" + source +
        "', nor is it a synthetic description such as "
        "\"pack:2 numa:2 core:4 pu:1\"" +
        (lacks_threads ? ": it ends with the hardware threads of a core, as pu:1" : ""));
  }
}

Handle load(const std::string& source, hwloc_type_filter_e devices) {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) {
    throw Unreadable("cannot start hwloc: " + reason(errno));
  }
  Handle topology(raw);
  // The x86 backend would move the calling thread to each processor to query it.
  hwloc_topology_set_components(raw, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
  hwloc_topology_set_io_types_filter(raw, devices);
  hwloc_topology_set_icache_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_NONE);
  hwloc_topology_set_type_filter(raw, HWLOC_OBJ_MISC, HWLOC_TYPE_FILTER_KEEP_NONE);
  // Reads all processors, not only the cgroup's, because boards are found from all packages.
  hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  set_source(raw, source);
  if (hwloc_topology_load(raw) != 0) {
    throw source.empty() ? Unreadable("hwloc cannot read this machine: " + reason(errno))
                         : not_readable(source);
  }
  return topology;
}

struct KnownType {
  hwloc_obj_type_t type;
  Type is;
};
constexpr KnownType kTypes[] = {
    {HWLOC_OBJ_MACHINE, Type::kMachine}, {HWLOC_OBJ_PACKAGE, Type::kPackage},
    {HWLOC_OBJ_DIE, Type::kDie},         {HWLOC_OBJ_L1CACHE, Type::kL1},
    {HWLOC_OBJ_L2CACHE, Type::kL2},      {HWLOC_OBJ_L3CACHE, Type::kL3},
    {HWLOC_OBJ_L4CACHE, Type::kL4},      {HWLOC_OBJ_L5CACHE, Type::kL5},
    {HWLOC_OBJ_CORE, Type::kCore},       {HWLOC_OBJ_PU, Type::kCore}};

Type type_of(hwloc_obj_t object) {
  const auto* const known = std::ranges::find(kTypes, object->type, &KnownType::type);
  return known == std::end(kTypes) ? Type::kGroup : known->is;
}

bool may_be_board(hwloc_obj_t object) {
  if (object->type == HWLOC_OBJ_GROUP) {
    const unsigned kind = object->attr->group.kind;
    return kind != kGroupOfDistances && kind != kGroupOfIo;
  }
  return object->type != HWLOC_OBJ_MACHINE && object->type != HWLOC_OBJ_PACKAGE;
}

// hwloc gives sizes in bytes.
int size_in(hwloc_uint64_t unit, hwloc_uint64_t bytes) {
  return static_cast<int>(std::min<hwloc_uint64_t>(bytes / unit, INT_MAX));
}

class Walk {
 public:
  explicit Walk(Hardware& hardware) : hardware_(hardware) {}

  int visit(hwloc_obj_t object, int parent, bool in_core) {
    if (object->type == HWLOC_OBJ_PU && in_core) {
      hardware_.cpus.push_back(static_cast<int>(object->os_index));
      return 0;
    }
    hardware_.has_cores = hardware_.has_cores || object->type == HWLOC_OBJ_CORE;
    const int index = add(object, parent);
    if (object->type == HWLOC_OBJ_PU) {
      hardware_.cpus.push_back(static_cast<int>(object->os_index));
    }
    int packages = 0;
    for (hwloc_obj_t child = object->first_child; child != nullptr; child = child->next_sibling) {
      packages += visit(child, index, in_core || object->type == HWLOC_OBJ_CORE);
    }
    Object& here = hardware_.objects[index];
    here.end = static_cast<int>(hardware_.cpus.size());
    here.is_board = packages > 1 && may_be_board(object);
    return object->type == HWLOC_OBJ_PACKAGE ? 1 : packages;
  }

 private:
  int add(hwloc_obj_t object, int parent) {
    const int index = static_cast<int>(hardware_.objects.size());
    hardware_.objects.push_back({.type = type_of(object),
                                 .level = object->depth,
                                 .begin = static_cast<int>(hardware_.cpus.size())});
    hardware_.object_kib.push_back(hwloc_obj_type_is_cache(object->type) != 0
                                       ? size_in(1U << 10U, object->attr->cache.size)
                                       : 0);
    if (parent >= 0) {
      hardware_.objects[parent].children.push_back(index);
    }
    return index;
  }

  Hardware& hardware_;
};

std::vector<int> processors_in(const Hardware& hardware, hwloc_const_cpuset_t cpuset) {
  std::vector<int> processors;
  for (int p = 0; p < static_cast<int>(hardware.cpus.size()); ++p) {
    if (hwloc_bitmap_isset(cpuset, hardware.cpus[p]) != 0) {
      processors.push_back(p);
    }
  }
  return processors;
}

void read_allowed(hwloc_topology_t topology, Hardware& hardware) {
  hardware.is_allowed.assign(hardware.cpus.size(), false);
  for (int p : processors_in(hardware, hwloc_topology_get_allowed_cpuset(topology))) {
    hardware.is_allowed[p] = true;
  }
}

void read_numa_nodes(hwloc_topology_t topology, Hardware& hardware) {
  hwloc_obj_t node = nullptr;
  while ((node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node)) != nullptr) {
    hardware.numa_processors.push_back(processors_in(hardware, node->cpuset));
    hardware.numa_numbers.push_back(static_cast<int>(node->os_index));
    hardware.numa_mib.push_back(size_in(1U << 20U, node->attr->numanode.local_memory));
  }
}

struct CoreKind {
  std::vector<int> processors;
  std::string type;   // as IntelCore or IntelAtom; empty if not known
  long capacity = 0;  // 0 if not known
  long frequency = 0;
  long base = 0;        // the base frequency
  int efficiency = -1;  // hwloc's rank, or -1
  int number = 0;       // hwloc's number of the kind
};

std::vector<CoreKind> read_kinds(hwloc_topology_t topology, const Hardware& hardware) {
  std::vector<CoreKind> kinds;
  const Bitmap cpuset(hwloc_bitmap_alloc());
  const int count = hwloc_cpukinds_get_nr(topology, 0);
  for (int k = 0; k < count; ++k) {
    CoreKind& kind = kinds.emplace_back();
    kind.number = k;
    unsigned infos = 0;
    hwloc_info_s* info = nullptr;
    if (hwloc_cpukinds_get_info(topology, k, cpuset.get(), &kind.efficiency, &infos, &info, 0) !=
        0) {
      return {};
    }
    kind.processors = processors_in(hardware, cpuset.get());
    for (; infos-- > 0; ++info) {
      const std::string name = info->name;
      if (name == "CoreType") {
        kind.type = info->value;
      } else if (name == "LinuxCapacity") {
        kind.capacity = std::strtol(info->value, nullptr, 10);
      } else if (name == "FrequencyMaxMHz") {
        kind.frequency = std::strtol(info->value, nullptr, 10);
      } else if (name == "FrequencyBaseMHz") {
        kind.base = std::strtol(info->value, nullptr, 10);
      }
    }
  }
  return kinds;
}

// Cores of one design may have different top frequencies: hwloc then has a kind for a processor's
// favoured cores. So a kind is as in nestbind-spec(7). Some slow cores have more than three
// quarters of the top frequency, but favoured cores have the base frequency of the others.
void read_speeds(hwloc_topology_t topology, Hardware& hardware) {
  std::vector<CoreKind> kinds = read_kinds(topology, hardware);
  const auto all_have = [&](auto member) {
    return std::ranges::all_of(kinds, [](auto value) { return value > 0; }, member);
  };
  const auto measure = all_have(&CoreKind::capacity) ? &CoreKind::capacity : &CoreKind::frequency;
  const bool is_measured = all_have(measure);
  if (is_measured) {
    // Equal kinds stay in hwloc's order, from slow to fast.
    std::ranges::sort(kinds, {},
                      [&](const CoreKind& kind) { return std::pair(kind.*measure, kind.number); });
  } else if (std::ranges::any_of(kinds, [](int rank) { return rank < 0; }, &CoreKind::efficiency)) {
    return;
  }
  std::vector<int> speed(hardware.cpus.size(), -1);
  int rank = static_cast<int>(kinds.size());
  const CoreKind* fastest = nullptr;
  const auto is_far_below = [&](const CoreKind& kind, auto member) {
    return 4 * kind.*member <= 3 * fastest->*member;
  };
  const bool has_base = all_have(&CoreKind::base);
  for (auto kind = kinds.rbegin(); kind != kinds.rend(); ++kind) {
    if (fastest == nullptr || !is_measured || kind->type != fastest->type ||
        is_far_below(*kind, measure) || (has_base && is_far_below(*kind, &CoreKind::base))) {
      fastest = &*kind;
      --rank;
    }
    for (const int p : kind->processors) {
      speed[p] = rank;
    }
  }
  if (rank + 1 < static_cast<int>(kinds.size())) {
    hardware.speed = std::move(speed);
  }
}

// Returns nothing if the given matrix lacks a node that has processors.
std::vector<std::vector<unsigned>> matrix(const Hardware& hardware,
                                          const hwloc_distances_s& given) {
  const std::size_t nodes = hardware.numa_processors.size();
  std::vector<int> row_of(nodes, -1);
  for (unsigned row = 0; row < given.nbobjs; ++row) {
    if (given.objs[row] != nullptr && given.objs[row]->logical_index < nodes) {
      row_of[given.objs[row]->logical_index] = static_cast<int>(row);
    }
  }
  std::vector<std::vector<unsigned>> distance(nodes, std::vector<unsigned>(nodes, 0));
  for (std::size_t i = 0; i < nodes; ++i) {
    if (row_of[i] < 0 && !hardware.numa_processors[i].empty()) {
      return {};
    }
    for (std::size_t j = 0; j < nodes; ++j) {
      if (row_of[i] >= 0 && row_of[j] >= 0) {
        const auto value = given.values[std::size_t(row_of[i]) * given.nbobjs + row_of[j]];
        distance[i][j] = static_cast<unsigned>(
            std::min<hwloc_uint64_t>(value, std::numeric_limits<unsigned>::max()));
      }
    }
  }
  return distance;
}

bool is_probed(hwloc_topology_t topology, hwloc_distances_s& given) {
  const char* const name = hwloc_distances_get_name(topology, &given);
  return name != nullptr && std::strcmp(name, kProbedName) == 0;
}

// If hwloc has several matrices of the firmware or of `nestbind probe`, the first of each is used.
void read_distances_of(hwloc_topology_t topology, unsigned long origin, Hardware& hardware) {
  constexpr unsigned kMost = 16;
  std::array<hwloc_distances_s*, kMost> given{};
  unsigned found = kMost;
  if (hwloc_distances_get_by_type(topology, HWLOC_OBJ_NUMANODE, &found, given.data(),
                                  origin | HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0) != 0) {
    return;
  }
  for (unsigned i = 0; i < std::min(found, kMost); ++i) {
    auto& known =
        is_probed(topology, *given[i]) ? hardware.probed_distance : hardware.numa_distance;
    if (known.empty()) {
      known = matrix(hardware, *given[i]);
    }
    hwloc_distances_release(topology, given[i]);
  }
}

void read_distances(hwloc_topology_t topology, Hardware& hardware) {
  read_distances_of(topology, HWLOC_DISTANCES_KIND_FROM_OS, hardware);
  read_distances_of(topology, HWLOC_DISTANCES_KIND_FROM_USER, hardware);
}

bool is_digit(char c) { return '0' <= c && c <= '9'; }

std::size_t behind(const std::string& text, std::size_t at) {
  const std::size_t end = text.find(text[at] == '(' ? ')' : ']', at);
  return end == std::string::npos ? text.size() : end + 1;
}

std::size_t number_of_level(const std::string& text, std::size_t at) {
  return is_digit(text[at]) ? at : std::min(text.find_first_of(": ", at), text.size() - 1) + 1;
}

}  // namespace

Hardware read_hardware(const std::string& source, bool with_devices) {
  const Handle topology = load(source, HWLOC_TYPE_FILTER_KEEP_NONE);
  Hardware hardware;
  Walk(hardware).visit(hwloc_get_root_obj(topology.get()), -1, false);
  read_allowed(topology.get(), hardware);
  read_numa_nodes(topology.get(), hardware);
  read_speeds(topology.get(), hardware);
  read_distances(topology.get(), hardware);
  if (with_devices) {
    // hwloc makes groups for devices, and plans must not depend on these groups.
    read_devices(load(source, HWLOC_TYPE_FILTER_KEEP_IMPORTANT).get(), source.empty(), hardware);
  } else {
    hardware.object_kib.clear();
    hardware.numa_mib.clear();
  }
  return hardware;
}

unsigned long described_processors(const std::string& description) {
  unsigned long processors = 1;
  for (std::size_t at = 0; at < description.size();) {
    if (description[at] == '(' || description[at] == '[') {
      at = behind(description, at);
      continue;
    }
    if (description[at] == ' ' || description[at] == '\n') {
      ++at;
      continue;
    }
    at = number_of_level(description, at);
    const char* const begin = description.c_str() + at;
    char* end = nullptr;
    const unsigned long children = std::strtoul(begin, &end, 0);
    at += static_cast<std::size_t>(end - begin);
    // strtoul returns a large number for a negative number. hwloc rejects numbers above UINT_MAX.
    const bool is_taken = children <= UINT_MAX || *begin != '-';
    if (is_taken && children > kMostDescribed / processors) {
      return kMostDescribed + 1;
    }
    processors *= is_taken ? std::max(children, 1UL) : 1;
  }
  return processors;
}

}  // namespace nestbind::machine::hwloc
