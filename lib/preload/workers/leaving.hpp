// SPDX-License-Identifier: BSD-3-Clause
// Workers that were told to end, until their threads have ended in the kernel. Until then they may
// run the program's destructors, and they count towards limits of threads.
#pragma once

namespace nestbind::workers {

// Waits until such workers have ended, if their calls are done. It waits for each at most five
// seconds after it began to end, since its destructors may wait for the calling thread. Does
// nothing on a worker that ends itself.
void wait_for_leaving();

// From now on the process waits at its exit for ending workers. No other workers run destructors,
// which would run at the same time as the destructors of static objects. To be called late: then
// the wait comes before the destructors of objects that are made before main.
void watch_exit();

}  // namespace nestbind::workers
