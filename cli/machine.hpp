// SPDX-License-Identifier: BSD-3-Clause
// The machine, and what this process may use of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "machine/topology.hpp"

namespace nestbind::cli {

// The processors that this process may use, ascending; none if the kernel does not tell.
std::optional<std::vector<int>> own_processors();

// Reads by the library's own module: hwloc is not loaded where it is not needed. library: the file
// libnestbind.so, which has its modules beside it. source, allowed and what is thrown: as of
// machine::hwloc::read_hardware() and Topology::of.
machine::Topology read_topology(const std::string& library, const std::string& source,
                                const std::optional<std::vector<int>>& allowed);

}  // namespace nestbind::cli
