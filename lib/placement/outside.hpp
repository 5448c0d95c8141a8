// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nestbind::placement {

// Whether the calling thread is in no region, of whatever size, that a source has told of.
bool is_outside_regions();

}  // namespace nestbind::placement
