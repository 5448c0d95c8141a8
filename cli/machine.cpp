// SPDX-License-Identifier: BSD-3-Clause
#include "cli/machine.hpp"

#include <sched.h>

#include "machine/hwloc/border.hpp"
#include "machine/loading/load.hpp"
#include "mask/cpu_list.hpp"

namespace nestbind::cli {

std::optional<std::vector<int>> own_processors() {
  // The kernel refuses a mask that is shorter than its own.
  mask::MaskBuffer own{};
  if (sched_getaffinity(0, sizeof own.bits, reinterpret_cast<cpu_set_t*>(own.bits)) != 0) {
    return std::nullopt;
  }
  return mask::cpus_in(own.view());
}

machine::Topology read_topology(const std::string& library, const std::string& source,
                                const std::optional<std::vector<int>>& allowed) {
  const std::string module = library.substr(0, library.rfind('/') + 1) + NESTBIND_PLANNER_SUBDIR +
                             "/" + machine::hwloc::kTopologyFile;
  return machine::Topology::of(machine::loading::load_and_read(module, source), source, allowed);
}

}  // namespace nestbind::cli
