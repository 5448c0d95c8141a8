// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nestbind::placement {

// From now on, lib/preload/team reports forks to this folder.
void place_forks();

}  // namespace nestbind::placement
