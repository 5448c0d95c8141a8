// SPDX-License-Identifier: BSD-3-Clause
// Writes hwloc's XML of the running system, with its measurements.
#pragma once

#include <string>

#include "machine/hwloc/topology_border.hpp"

namespace nestbind::machine::hwloc {

// Implements TopologyApi::write. Throws Unreadable with the reason.
void write_xml(const std::string& file, const Measured& measured);

}  // namespace nestbind::machine::hwloc
