// SPDX-License-Identifier: BSD-3-Clause
// The machine, and what this process may use of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "machine/topology.hpp"

namespace nestbind::cli {

// Reads by the library's own module: hwloc is not loaded where it is not needed. library: the file
// libnestbind.so, which has its modules beside it. source and what is thrown: as of
// machine::hwloc::read_hardware().
machine::Hardware read_machine(const std::string& library, const std::string& source);

// Of the library, its file libnestbind-topology.so.
std::string topology_module(const std::string& library);

// The same as what may be used of it. allowed and what is thrown besides: as of Topology::of.
machine::Topology read_topology(const std::string& library, const std::string& source,
                                const std::optional<std::vector<int>>& allowed);

}  // namespace nestbind::cli
