// SPDX-License-Identifier: BSD-3-Clause
// Gives places to the teams that lib/preload/team reports. If a fork's threads are already bound,
// it costs a few loads: no system call, allocation or lock, and no write to shared memory.
#pragma once

namespace nestbind::placement {

// From now on lib/preload/team reports forks here. Called when there is a specification.
void follow();

// The same if root threads divide the plan: each root thread notes when it leaves its regions. A
// later specification need not be divided.
void follow_roots();

}  // namespace nestbind::placement
