// SPDX-License-Identifier: BSD-3-Clause
#include "planner/planner_devices.hpp"

#include <nestbind/topology.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <new>
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

using machine::Device;
using machine::Hardware;

// Read with devices after the machine was found without them. Never freed.
std::atomic<const Hardware*> g_with_devices{nullptr};

const Hardware* hardware_with_devices(const PlannerOptions* options) {
  const Found* const there = found();
  if (there == nullptr || there->error != NESTBIND_OK) {
    return nullptr;
  }
  if (there->hardware.has_read_devices) {
    return &there->hardware;
  }
  const Hardware* known = g_with_devices.load(std::memory_order_acquire);
  if (known != nullptr || options == nullptr) {
    return known;
  }
  const std::string source = source_of(*options);
  const auto* const read = new Hardware(
      source.empty() ? machine::loading::find_hardware(options->cache, options->allowed, true)
                     : machine::loading::find_given(source, options->records, true));
  if (!g_with_devices.compare_exchange_strong(known, read, std::memory_order_acq_rel)) {
    delete read;  // another thread was first
    return known;
  }
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
  const auto nearest =
      machine::nearest_devices(*hardware, static_cast<machine::DeviceKind>(kind - 1), *own);
  const int count = static_cast<int>(nearest.size());
  for (int i = 0; i < std::min(count, capacity); ++i) {
    const Device& device = hardware->devices[nearest[i]];
    nestbind_device& to = found[i];
    to = {};
    to.kind = kind;
    to.numa = machine::numa_of(*hardware, device);
    to.level = machine::level_of(*hardware, device, *own);
    put(device.name, to.name);
    put(device.pci, to.pci);
    put(device.uuid, to.uuid);
  }
  return count;
} catch (const std::exception&) {
  return -1;
}

}  // namespace nestbind::planner
