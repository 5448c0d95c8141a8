// SPDX-License-Identifier: BSD-3-Clause
// Which devices are near to which processors, and how ranks divide devices. Pure.
//
// A processor's level is 0 beside a device, otherwise the number of objects of the tree around the
// processor that have no processor beside the device. Objects with the same processors count once.
// Processors are numbers of the operating system, and devices are indices into Hardware::devices.
#pragma once

#include <vector>

#include "machine/hardware.hpp"

namespace nestbind::machine {

// PCI numbers of vendors.
inline constexpr int kNvidia = 0x10de;
inline constexpr int kAmd = 0x1002;
inline constexpr int kIntel = 0x8086;

// "gpu", "nic" or "nvme".
const char* word_of(DeviceKind kind);

// The operating system's number of the smallest NUMA node around a device, or -1.
int numa_of(const Hardware& hardware, const Device& device);

// The allowed processors beside a device, ascending.
std::vector<int> cpus_beside(const Hardware& hardware, const Device& device);

// The level of the nearest of these processors, or -1 if there are none.
int level_of(const Hardware& hardware, const Device& device, const std::vector<int>& cpus);

// The devices that ranks may divide: GPUs, or the network cards with the highest choice. vendor: 0
// for all.
std::vector<int> to_divide(const Hardware& hardware, DeviceKind kind, int vendor = 0);

// Divides devices among ranks, whose processors are `ranks`. If some devices are in a package with
// a processor of these ranks, only those are divided. If there are enough devices, each device has
// one rank, otherwise each rank has one device. The numbers of devices of two ranks, or of ranks of
// two devices, differ by at most one. No exchange of two ranks, or of two devices, makes the sum of
// the levels smaller. Returns the devices of each rank, ascending.
std::vector<std::vector<int>> divide_devices(const Hardware& hardware,
                                             const std::vector<int>& devices,
                                             const std::vector<std::vector<int>>& ranks);

}  // namespace nestbind::machine
