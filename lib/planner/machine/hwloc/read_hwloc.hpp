// SPDX-License-Identifier: BSD-3-Clause
// Hardware as hwloc tells it.
#pragma once

#include <string>

#include "machine/hardware.hpp"

namespace nestbind::machine::hwloc {

// source: empty for the running system, else the name of an hwloc XML file, or, where no such file
// exists, a synthetic description ("pack:2 numa:2 core:4 pu:1"). is_allowed is what the topology
// itself allows. I/O devices, plugins and hwloc's x86 backend are left out. Throws Unreadable.
// hwloc trusts what it reads: a file may crash it, or take all memory.
Hardware read_hardware(const std::string& source);

// How large the machine of a synthetic description is, without hwloc.

// hwloc's time for a level grows with the square of its objects, and beyond with more.
inline constexpr unsigned long kMostDescribed = 4096;

// The processors that hwloc would make of a description: the product of the numbers of its levels.
// kMostDescribed + 1 where there are more. Of a text that is no description it may be any number.
unsigned long described_processors(const std::string& description);

}  // namespace nestbind::machine::hwloc
