// SPDX-License-Identifier: BSD-3-Clause
// Gives places to the teams that lib/preload/team reports. If the threads of a fork are already
// bound, this costs a few loads: no system call, allocation or lock, and no write to shared memory.
#pragma once

namespace nestbind::placement {

// From now on lib/preload/team reports forks here. Called when there is a specification.
void follow();

// Like follow(), but each root thread also records when its outermost region ends. For root threads
// that divide the machine. Also works if they do not divide it for a later specification.
void follow_roots();

}  // namespace nestbind::placement
