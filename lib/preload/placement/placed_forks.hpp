// SPDX-License-Identifier: BSD-3-Clause
// Gives places to the teams that lib/preload/team reports. A fork of bound threads needs no system
// call, allocation, lock or write to shared memory.
#pragma once

namespace nestbind::placement {

void follow();

// Like follow(), but for root threads that divide the machine.
void follow_roots();

}  // namespace nestbind::placement
