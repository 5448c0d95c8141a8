// SPDX-License-Identifier: BSD-3-Clause
// Ends kept workers, for example at the exit of the program.
#pragma once

namespace nestbind::workers {

// Ends waiting workers at once. Workers in a region end after the region. Called before a library
// is unloaded, because destructors of pthread keys and thread_local objects may be in this library.
// If `wait` is true, waits a limited time for the ends of the workers.
void end_all(bool wait);

// Ends waiting workers. Waits a limited time for the ends of the workers.
void end_idle();

// Makes all workers end when the initial thread calls exit() or returns from main. Their
// destructors run before the destructors of static objects, and may use these objects. If only the
// initial thread ends, workers end, too, and no worker is kept any more. If another thread calls
// exit(), no worker ends (leaving.hpp). Must be called once on the initial thread, before any
// worker is kept.
void end_all_at_exit();

}  // namespace nestbind::workers
