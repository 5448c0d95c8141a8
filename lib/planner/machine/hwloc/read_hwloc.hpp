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

}  // namespace nestbind::machine::hwloc
