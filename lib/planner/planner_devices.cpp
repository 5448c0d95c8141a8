// SPDX-License-Identifier: BSD-3-Clause
#include "planner/planner_devices.hpp"

#include <nestbind/topology.h>

#include <exception>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "machine/devices.hpp"
#include "machine/loading/load_machine.hpp"
#include "mask/cpu_list.hpp"
#include "planner/planner_found.hpp"
#include "planner/planner_geometry.hpp"
#include "support/errno_kept.hpp"

namespace nestbind::planner {

namespace {

using machine::Hardware;

const Hardware* read_with_devices(const PlannerOptions& options) {
  const std::string source = source_of(options);
  return new Hardware(source.empty()
                          ? machine::loading::find_hardware(options.cache, options.allowed, true)
                          : machine::loading::find_given(source, options.records, true));
}

const Hardware* hardware_with_devices(const PlannerOptions* options) {
  const Found* const there = found();
  if (there == nullptr || there->error != NESTBIND_OK) {
    return nullptr;
  }
  if (there->hardware.has_read_devices || options == nullptr) {
    return there->hardware.has_read_devices ? &there->hardware : nullptr;
  }
  static const Hardware* const read = read_with_devices(*options);  // once, and never freed
  return read;
}

template <std::size_t kSize>
void put(const std::string& text, char (&to)[kSize]) {
  to[text.copy(to, kSize - 1)] = '\0';
}

std::optional<std::vector<int>> processors_of(const Hardware& hardware, const CpuMask& cpus,
                                              const PlannerGeometry* geometry, int slot) {
  if (geometry != nullptr) {
    const auto& slots = static_cast<const Geometry*>(geometry->made)->machine().slots;
    return slot >= 0 && slot < static_cast<int>(slots.size()) ? std::optional(slots[slot].cpus)
                                                              : std::nullopt;
  }
  return cpus.bits == nullptr ? hardware.cpus : mask::cpus_in(cpus);
}

}  // namespace

int devices(const PlannerOptions* options, int kind, const CpuMask& cpus,
            const PlannerGeometry* geometry, int slot, nestbind_device* found, int capacity) try {
  const support::ErrnoKept errno_kept;
  const Hardware* const hardware = hardware_with_devices(options);
  if (hardware == nullptr || kind < NESTBIND_GPU || kind > NESTBIND_NVME) {
    return -1;
  }
  const auto own = processors_of(*hardware, cpus, geometry, slot);
  if (!own) {
    return -1;
  }
  int count = 0;
  int nearest = std::numeric_limits<int>::max();
  for (const machine::Device& device : hardware->devices) {
    const int level = machine::level_of(*hardware, device, *own);
    if (device.kind != static_cast<machine::DeviceKind>(kind - 1) || level > nearest) {
      continue;
    }
    count = level < nearest ? 0 : count;
    nearest = level;
    if (count < capacity) {
      nestbind_device& to = found[count];
      to = {kind, machine::numa_of(*hardware, device), level, "", "", ""};
      put(device.name, to.name);
      put(device.pci, to.pci);
      put(device.uuid, to.uuid);
    }
    ++count;
  }
  return count;
} catch (const std::exception&) {
  return -1;
}

}  // namespace nestbind::planner
