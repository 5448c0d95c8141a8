// SPDX-License-Identifier: BSD-3-Clause
// Ends workers when the program could notice that they still exist.
#pragma once

namespace nestbind::workers {

// Must be called before a library is closed and perhaps unloaded. Waiting workers end, and the
// program's destructors run on them: a destructor of a pthread key or thread_local object may be in
// the library. Workers in a region end after the region. wait: return after all have ended.
void end_all(bool wait);

// Ends waiting workers, and returns after they have ended. The wait for destructors is short.
void end_idle();

// Must be called once on the initial thread, before any worker is kept. On another thread it does
// nothing. When the initial thread calls exit() or returns from main, workers end first, so that
// the output of their destructors is not lost. Their destructors run before the destructors of
// static objects, and may use these objects. exit() waits as end_all() does. If the initial thread
// ends before the process, workers end, too, and no worker is kept any more. If another thread
// calls exit(), workers stay as they are (leaving.hpp).
void end_all_at_exit();

}  // namespace nestbind::workers
