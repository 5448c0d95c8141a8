// SPDX-License-Identifier: BSD-3-Clause
// Reads Hardware from hwloc.
#pragma once

#include <string>

#include "machine/hardware.hpp"

namespace nestbind::machine::hwloc {

// source: an empty text for the running system, or the name of an hwloc XML file. If there is no
// such file, it is a synthetic description ("pack:2 numa:2 core:4 pu:1"). is_allowed: what the
// topology itself allows. I/O devices, plugins and hwloc's x86 backend are left out. Throws
// Unreadable. hwloc trusts its input: a file may crash hwloc, or make it take all memory.
Hardware read_hardware(const std::string& source);

// The most processors of a synthetic description. hwloc's time for a level grows with the square of
// the number of its objects, or faster.
inline constexpr unsigned long kMostDescribed = 4096;

// How many processors hwloc would make from a description: the product of its levels' numbers.
// Returns kMostDescribed + 1 if there are more. For other texts the result is arbitrary.
unsigned long described_processors(const std::string& description);

}  // namespace nestbind::machine::hwloc
