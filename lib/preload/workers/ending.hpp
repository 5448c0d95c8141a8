// SPDX-License-Identifier: BSD-3-Clause
// Ends workers when the program could notice that they still exist.
#pragma once

namespace nestbind::workers {

// Ends waiting workers at once, and workers in a region after the region. Called before a library
// is unloaded. The destructor of a pthread key or thread_local object may be in this library, and
// must run before that. `wait` says whether to return only after all workers have ended.
void end_all(bool wait);

// Ends waiting workers, and waits for their ends, but only a short time for destructors.
void end_idle();

// Makes all workers end when the initial thread calls exit() or returns from main. Their
// destructors run before the destructors of static objects, and may use these objects. If only the
// initial thread ends, workers end, too, and no worker is kept any more. If another thread calls
// exit(), no worker ends (leaving.hpp). Must be called once on the initial thread, before any
// worker is kept.
void end_all_at_exit();

}  // namespace nestbind::workers
