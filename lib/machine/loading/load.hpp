// SPDX-License-Identifier: BSD-3-Clause
// Loads libnestbind-topology.so, with hwloc, out of the program's sight.
#pragma once

#include <string>

#include "machine/hardware.hpp"

namespace nestbind::machine::loading {

// As hwloc::read_hardware(), by the libnestbind-topology.so beside this library. Takes the loader's
// lock.
Hardware load_and_read(const std::string& source);

// The same by the library of this name.
Hardware load_and_read(const std::string& library, const std::string& source);

// Changes when the library that this code is in does; empty where it is not known.
std::string identity_of_this_library();

}  // namespace nestbind::machine::loading
