// SPDX-License-Identifier: BSD-3-Clause
// After fork(), the only thread of the child gets the process's mask.
#pragma once

namespace nestbind::placement {

void watch_fork();

// Does the work of the fork handlers in a child that did not run them.
void free_child();

}  // namespace nestbind::placement
