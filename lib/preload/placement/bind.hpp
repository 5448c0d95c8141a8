// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "placement/place.hpp"

namespace nestbind::placement {

// Binds the calling thread where a place says, and tells observers; warns, once, where the system
// refuses.
void bind_to(const Place& place);

}  // namespace nestbind::placement
