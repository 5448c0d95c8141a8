// SPDX-License-Identifier: BSD-3-Clause
// The hardware that a process plans for. The running system is adopted from a cache, or read by
// libnestbind-topology.so, which is loaded, with hwloc, out of the program's sight. What a user
// hands over is read by nestbind-read-machine, and never in this process.
#pragma once

#include <string>
#include <vector>

#include "machine/hardware.hpp"
#include "mask/cpu_mask.hpp"

namespace nestbind::machine::loading {

using mask::CpuMask;

// As hwloc::read_hardware(), by the libnestbind-topology.so of this name, or the program beside it.
// Throws Unreadable. Takes the loader's lock.
Hardware load_and_read(const std::string& library, const std::string& source);

// Writes the running system as hwloc's XML to a file, with what was measured, by the
// libnestbind-topology.so of this name. Both matrices by Hardware::numa_processors, 0: not
// measured. Throws Unreadable where it cannot be written. Takes the loader's lock.
void load_and_write(const std::string& library, const std::string& file,
                    const std::vector<std::vector<unsigned>>& ns,
                    const std::vector<std::vector<unsigned>>& megabytes);

// source: as that of hwloc::read_hardware(); only the running system's machine is kept in a cache.
// cache: NESTBIND_CACHE, null if it is not set. own: what this process may use; a cache that lacks
// some of it is read anew. Throws Unreadable. Takes the loader's lock.
Hardware find_hardware(const std::string& source, const char* cache, const CpuMask& own);

}  // namespace nestbind::machine::loading
