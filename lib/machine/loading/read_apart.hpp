// SPDX-License-Identifier: BSD-3-Clause
// The machine of a file or a description, read by nestbind-read-machine. Inside
// lib/machine/loading.
#pragma once

#include <string>

#include "machine/hardware.hpp"

namespace nestbind::machine::loading {

// program: the file nestbind-read-machine. source: as that of hwloc::read_hardware(), not empty.
// Throws Unreadable, whatever that process or hwloc does; there is no other way to read a source.
Hardware read_apart(const std::string& program, const std::string& source);

}  // namespace nestbind::machine::loading
