// SPDX-License-Identifier: BSD-3-Clause
// Finds the hardware that a process plans for: from a cache, from the command, or from
// libnestbind-topology.so. The loader hides libnestbind-topology.so and its hwloc from the program.
#pragma once

#include <string>
#include <vector>

#include "machine/hardware.hpp"
#include "mask/cpu_mask.hpp"

namespace nestbind::machine::loading {

using mask::CpuMask;

// Calls hwloc::read_hardware() in the libnestbind-topology.so with this name. Throws Unreadable,
// also if a program with privileges gets a user's source. May wait for the loader's lock.
Hardware load_and_read(const std::string& library, const std::string& source);

// Calls TopologyApi::write() (hwloc/topology_border.hpp) in the libnestbind-topology.so with this
// name. Both matrices are indexed as Hardware::numa_processors; 0 means not measured. Throws
// Unreadable if the file cannot be written. May wait for the loader's lock.
void load_and_write(const std::string& library, const std::string& file,
                    const std::vector<std::vector<unsigned>>& ns,
                    const std::vector<std::vector<unsigned>>& megabytes);

// Saves load_and_read()'s result for a source, for the programs that the command starts. Only this
// user can read the folder. Returns whether saving succeeded.
bool hand_over(const Hardware& hardware, const std::string& library, const std::string& source,
               const std::string& folder);

// Returns the machine of a source (not empty). records: the folder of hand_over(), or null. Reads
// the source if the record is missing or old. Throws Unreadable. May wait for the loader's lock.
Hardware find_given(const std::string& source, const char* records);

// Returns the running system. cache: NESTBIND_CACHE, or null. own: the process's processors. If the
// cached machine lacks one of these processors, hwloc reads the system. Throws Unreadable. May wait
// for the loader's lock.
Hardware find_hardware(const char* cache, const CpuMask& own);

}  // namespace nestbind::machine::loading
