// SPDX-License-Identifier: BSD-3-Clause
// Waits for ending workers, which were told to end, but whose threads still exist in the kernel.
// These threads may run the program's destructors, and they count towards limits on threads.
#pragma once

namespace nestbind::workers {

// Waits for the end of each ending worker whose call is done. The destructors of a worker may wait
// for the calling thread. So the wait for a worker is limited to five seconds. If the calling
// thread is an ending worker, does nothing.
void wait_for_leaving();

// Makes the process wait for ending workers at its exit. Must be called after the constructors of
// static objects. Then the destructors of these objects run after the wait.
void watch_exit();

}  // namespace nestbind::workers
