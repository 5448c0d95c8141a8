// SPDX-License-Identifier: BSD-3-Clause
// Reads Hardware from hwloc.
#pragma once

#include <string>

#include "machine/hardware.hpp"

namespace nestbind::machine::hwloc {

// source: an empty text for the running system, or the name of an hwloc XML file. If there is no
// such file, `source` is a synthetic description ("pack:2 numa:2 core:4 pu:1"). Throws Unreadable.
// hwloc does not check its input: a file may crash hwloc, or make it use all memory.
Hardware read_hardware(const std::string& source, bool with_devices = false);

// If a level has twice as many objects, hwloc takes at least four times as long.
inline constexpr unsigned long kMostDescribed = 4096;

// Returns the number of processors of a synthetic description, at most kMostDescribed + 1.
unsigned long described_processors(const std::string& description);

}  // namespace nestbind::machine::hwloc
