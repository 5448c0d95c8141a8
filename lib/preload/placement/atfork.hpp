// SPDX-License-Identifier: BSD-3-Clause
// The child of fork() has only the calling thread, which begins with the process's mask.
#pragma once

namespace nestbind::placement {

// Registers the fork handlers. Called once.
void watch_fork();

// Does the work of the fork handlers in a child that did not run them.
void free_child();

}  // namespace nestbind::placement
