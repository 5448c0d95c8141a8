// SPDX-License-Identifier: BSD-3-Clause
// The machine, read by the library's own module: hwloc is not loaded where it is not needed.
#pragma once

#include <string>

#include "machine/topology.hpp"

namespace nestbind::cli {

// library: the file libnestbind.so, which has its modules beside it. source, allowed and
// what is thrown: as of machine::hwloc::read_hardware() and Topology::of.
machine::Topology read_topology(const std::string& library, const std::string& source,
                                const std::optional<std::vector<int>>& allowed);

}  // namespace nestbind::cli
