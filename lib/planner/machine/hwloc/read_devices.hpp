// SPDX-License-Identifier: BSD-3-Clause
// Reads GPUs, network cards and NVMe disks from hwloc.
#pragma once

#include <string>

#include "machine/hardware.hpp"

struct hwloc_topology;

namespace nestbind::machine::hwloc {

// topology: loaded with I/O devices. is_here: whether it is the running system. Then asks the
// kernel, too, because our hwloc has no plugins of the vendors.
void read_devices(hwloc_topology* topology, bool is_here, Hardware& hardware);

// Reads the UUID of a GPU, and the device's file in /dev, from the kernel's files below `root`.
void ask_kernel(const std::string& root, Device& device);

}  // namespace nestbind::machine::hwloc
