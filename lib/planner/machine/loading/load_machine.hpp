// SPDX-License-Identifier: BSD-3-Clause
// The hardware that a process plans for: adopted from a cache, or from the command, or read by
// libnestbind-topology.so, which is loaded, with hwloc, out of the program's sight.
#pragma once

#include <string>
#include <vector>

#include "machine/hardware.hpp"
#include "mask/cpu_mask.hpp"

namespace nestbind::machine::loading {

using mask::CpuMask;

// As hwloc::read_hardware(), by the libnestbind-topology.so of this name. Throws Unreadable; always
// for a source in a program with privileges that its user does not have. Takes the loader's lock.
Hardware load_and_read(const std::string& library, const std::string& source);

// Writes the running system as hwloc's XML to a file, with what was measured, by the
// libnestbind-topology.so of this name. Both matrices by Hardware::numa_processors, 0: not
// measured. Throws Unreadable where it cannot be written. Takes the loader's lock.
void load_and_write(const std::string& library, const std::string& file,
                    const std::vector<std::vector<unsigned>>& ns,
                    const std::vector<std::vector<unsigned>>& megabytes);

// For the programs that the command starts: keeps what load_and_read() has read of a source, in a
// folder of this user alone. Returns whether it is there.
bool hand_over(const Hardware& hardware, const std::string& library, const std::string& source,
               const std::string& folder);

// The machine of a source, not empty. records: the folder of hand_over(), null where there is none;
// a source that is not handed over there, or has changed since, is read. Throws Unreadable. Takes
// the loader's lock.
Hardware find_given(const std::string& source, const char* records);

// The running system. cache: NESTBIND_CACHE, null if it is not set. own: what this process may use;
// a cache that lacks some of it is read anew. Throws Unreadable. Takes the loader's lock.
Hardware find_hardware(const char* cache, const CpuMask& own);

}  // namespace nestbind::machine::loading
