// SPDX-License-Identifier: BSD-3-Clause
#include "cli/machine.hpp"

#include "machine/hwloc/border.hpp"
#include "machine/loading/load.hpp"

namespace nestbind::cli {

std::string topology_module(const std::string& library) {
  return library.substr(0, library.rfind('/') + 1) + NESTBIND_PLANNER_SUBDIR + "/" +
         machine::hwloc::kTopologyFile;
}

machine::Hardware read_machine(const std::string& library, const std::string& source) {
  return machine::loading::load_and_read(topology_module(library), source);
}

machine::Topology read_topology(const std::string& library, const std::string& source,
                                const std::optional<std::vector<int>>& allowed) {
  return machine::Topology::of(read_machine(library, source), source, allowed);
}

}  // namespace nestbind::cli
