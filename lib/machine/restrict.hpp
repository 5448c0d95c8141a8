// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "machine/hardware.hpp"

namespace nestbind::machine {

// The same without the processors that are not allowed, and without the objects that then have
// none; NUMA nodes are left as they were. The order of what stays does not change.
Hardware restrict_to_allowed(const Hardware& whole);

}  // namespace nestbind::machine
