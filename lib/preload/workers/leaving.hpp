// SPDX-License-Identifier: BSD-3-Clause
// Workers that have been told to end, until the kernel has let their threads go: they may still run
// destructors of the program's, and count where threads are limited.
#pragma once

namespace nestbind::workers {

// Waits until those whose calls are done have left; for each at most five seconds from when it has
// begun to leave, since its destructors may wait for the calling thread. Not on a worker that
// itself leaves.
void wait_for_leaving();

// From then on, when the process exits, it waits for those that are leaving, and no other runs
// destructors: they would run beside those of static objects. To be called late, so that it does so
// before the destructors of objects that are made before main.
void watch_exit();

}  // namespace nestbind::workers
