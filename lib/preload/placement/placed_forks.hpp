// SPDX-License-Identifier: BSD-3-Clause
// Gives places to the teams that lib/preload/team reports. A fork whose threads are in place costs
// a few loads: no system call, allocation or lock, and no write to memory that threads share.
#pragma once

namespace nestbind::placement {

// From now on lib/preload/team reports forks here. Called after something is specified.
void follow();

// The same if root threads divide the plan: each root records when it leaves its regions. A later
// specification may be one that is not divided.
void follow_roots();

}  // namespace nestbind::placement
