// SPDX-License-Identifier: BSD-3-Clause
// The hardware that a process plans for: adopted from a cache, or read by libnestbind-topology.so,
// which is loaded, with hwloc, out of the program's sight.
#pragma once

#include <string>

#include "machine/hardware.hpp"

namespace nestbind::machine::loading {

// As hwloc::read_hardware(), by the libnestbind-topology.so of this name. Takes the loader's lock.
Hardware load_and_read(const std::string& library, const std::string& source);

// source: as that of hwloc::read_hardware(); only the running system's machine is kept in a cache.
// cache: NESTBIND_CACHE, null if it is not set. Throws Unreadable. Takes the loader's lock.
Hardware find_hardware(const std::string& source, const char* cache);

}  // namespace nestbind::machine::loading
