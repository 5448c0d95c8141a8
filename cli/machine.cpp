// SPDX-License-Identifier: BSD-3-Clause
#include "cli/machine.hpp"

#include "machine/hwloc/border.hpp"
#include "machine/loading/load.hpp"

namespace nestbind::cli {

machine::Hardware read_machine(const std::string& library, const std::string& source) {
  const std::string module = library.substr(0, library.rfind('/') + 1) + NESTBIND_PLANNER_SUBDIR +
                             "/" + machine::hwloc::kTopologyFile;
  return machine::loading::load_and_read(module, source);
}

machine::Topology read_topology(const std::string& library, const std::string& source,
                                const std::optional<std::vector<int>>& allowed) {
  return machine::Topology::of(read_machine(library, source), source, allowed);
}

}  // namespace nestbind::cli
