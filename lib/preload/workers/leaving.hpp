// SPDX-License-Identifier: BSD-3-Clause
// Waits for ending workers, which were told to end, but whose threads still exist in the kernel.
// These threads may run the program's destructors, and they count towards limits on threads.
#pragma once

namespace nestbind::workers {

// Waits for the end of each ending worker whose call is done. For each worker, the wait stops five
// seconds after the worker began to end, because its destructors may wait for the calling thread.
// If the calling thread is an ending worker, does nothing.
void wait_for_leaving();

// Makes the process wait for ending workers at its exit. Other workers do not run destructors,
// because static objects are destroyed at the same time. Must be called after the constructors of
// static objects. Then the destructors of these objects run after the wait.
void watch_exit();

}  // namespace nestbind::workers
