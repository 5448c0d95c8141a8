// SPDX-License-Identifier: BSD-3-Clause
// Workers that were told to end, but still have a thread in the kernel. They may run the program's
// destructors, and they count towards limits of threads.
#pragma once

namespace nestbind::workers {

// Waits until such workers have ended, if their calls are done. For each worker, the wait stops
// five seconds after the worker began to end, because its destructors may wait for the calling
// thread. If the calling thread is such a worker, does nothing.
void wait_for_leaving();

// From now on the process waits for ending workers at its exit. No other workers run destructors:
// these would run at the same time as the destructors of static objects. Call this late, so that
// the wait comes before the destructors of objects that are made before main.
void watch_exit();

}  // namespace nestbind::workers
