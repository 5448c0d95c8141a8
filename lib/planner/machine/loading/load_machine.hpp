// SPDX-License-Identifier: BSD-3-Clause
// Finds the hardware that a process plans for: from a cache, from the command, or from
// libnestbind-topology.so. The loader hides this library and its hwloc from the program.
//
// All functions except hand_over() and hand_over_own() throw Unreadable. They also ask the loader,
// and so may wait for its lock.
#pragma once

#include <string>
#include <vector>

#include "machine/hardware.hpp"
#include "mask/cpu_mask.hpp"

namespace nestbind::machine::loading {

using mask::CpuMask;

// Calls hwloc::read_hardware() in `library`, the path of libnestbind-topology.so. Throws Unreadable
// also if a program has privileges that its user does not have, and `source` is not empty.
Hardware load_and_read(const std::string& library, const std::string& source,
                       bool with_devices = false);

// Both matrices are indexed as Hardware::numa_processors; 0 means not measured.
void load_and_write(const std::string& library, const std::string& file,
                    const std::vector<std::vector<unsigned>>& ns,
                    const std::vector<std::vector<unsigned>>& megabytes);

// Saves the hardware that load_and_read() has returned for `source`. Programs that the command
// starts find the hardware in `folder`.
bool hand_over(const Hardware& hardware, const std::string& library, const std::string& source,
               const std::string& folder);

// Saves hardware in place of this machine's own: programs use it if their NESTBIND_CACHE is
// `folder`. planner: the path of libnestbind-planner.so, which will read it.
bool hand_over_own(const Hardware& hardware, const std::string& planner, const std::string& folder);

// source: not empty. records: the folder of hand_over(), or null.
Hardware find_given(const std::string& source, const char* records, bool with_devices = false);

// cache: NESTBIND_CACHE, or null. own: the process's processors. If the cached machine lacks one of
// these processors, hwloc reads the system. with_devices: hwloc also reads the system if the cached
// machine has no devices. planner: the path of libnestbind-planner.so, if another program calls.
Hardware find_hardware(const char* cache, const CpuMask& own, bool with_devices = false,
                       const std::string& planner = "");

}  // namespace nestbind::machine::loading
