// SPDX-License-Identifier: BSD-3-Clause
// The child of fork() has only the calling thread, which begins with the process's mask.
#pragma once

namespace nestbind::placement {

// Registers the fork handlers. Called once.
void watch_fork();

// For a child that ran no fork handlers: gives up the objects that a child must not share.
void free_child();

}  // namespace nestbind::placement
