// SPDX-License-Identifier: BSD-3-Clause
// The child of fork: it has only the calling thread, and begins with the process's mask.
#pragma once

namespace nestbind::placement {

// Registers what fork needs. Called once, when something is specified.
void watch_fork();

// In the child of a fork that handlers were not told of: what a child must not share.
void free_child();

}  // namespace nestbind::placement
