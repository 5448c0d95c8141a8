// SPDX-License-Identifier: BSD-3-Clause
// hwloc's XML of the running system, with what was measured of it.
#pragma once

#include <string>

#include "machine/hwloc/topology_border.hpp"

namespace nestbind::machine::hwloc {

// As TopologyApi::write. Throws Unreadable, which says what cannot be written.
void write_xml(const std::string& file, const Measured& measured);

}  // namespace nestbind::machine::hwloc
