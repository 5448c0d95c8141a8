// SPDX-License-Identifier: BSD-3-Clause
// Finds the hardware that a process plans for: from a cache, from the command, or from
// libnestbind-topology.so, which is loaded with hwloc and hidden from the program.
#pragma once

#include <string>
#include <vector>

#include "machine/hardware.hpp"
#include "mask/cpu_mask.hpp"

namespace nestbind::machine::loading {

using mask::CpuMask;

// Calls hwloc::read_hardware() in the libnestbind-topology.so with this name. Throws Unreadable,
// also if a program with privileges gets a user's source. Takes the loader's lock.
Hardware load_and_read(const std::string& library, const std::string& source);

// Writes the running system and its measurements as hwloc's XML to a file, by the
// libnestbind-topology.so with this name. Both matrices are indexed as Hardware::numa_processors;
// 0: not measured. Throws Unreadable if it cannot be written. Takes the loader's lock.
void load_and_write(const std::string& library, const std::string& file,
                    const std::vector<std::vector<unsigned>>& ns,
                    const std::vector<std::vector<unsigned>>& megabytes);

// For the programs that the command starts: keeps load_and_read()'s result for a source, in a
// folder of this user alone. Returns whether it succeeded.
bool hand_over(const Hardware& hardware, const std::string& library, const std::string& source,
               const std::string& folder);

// The machine of a source (not empty). records: the folder of hand_over(); null: none. Reads the
// source if its record is missing or outdated. Throws Unreadable. Takes the loader's lock.
Hardware find_given(const std::string& source, const char* records);

// The running system. cache: NESTBIND_CACHE; null: not set. own: the process's processors; if a
// cache lacks one, the system is read again. Throws Unreadable. Takes the loader's lock.
Hardware find_hardware(const char* cache, const CpuMask& own);

}  // namespace nestbind::machine::loading
