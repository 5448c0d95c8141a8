// SPDX-License-Identifier: BSD-3-Clause
// Devices in text and JSON.
#pragma once

#include <string>
#include <vector>

#include "machine/devices.hpp"

namespace nestbind::cli {

// "cuda0 (0000:04:00.0), mlx5_0 (0000:08:00.0)". Without `with_address`, names only.
std::string names_of(const machine::Hardware& hardware, const std::vector<int>& devices,
                     bool with_address);

std::string table_of_devices(const machine::Hardware& hardware);

// [{"kind", "name", "pci", "uuid", "numa", "level", "cpus"}]. A text or number that is not known is
// null. "level" is 0 if one of `cpus` is beside the device, and "cpus" has all processors beside
// it.
std::string json_of_devices(const machine::Hardware& hardware, const std::vector<int>& devices,
                            const std::vector<int>& cpus);

// What to do if the machine has no devices. source: a file or a synthetic description, or empty.
std::string why_no_devices(const std::string& source);

}  // namespace nestbind::cli
