// SPDX-License-Identifier: BSD-3-Clause
// Workers end where the program could see that they are still there.
#pragma once

namespace nestbind::workers {

// Before a library is closed, which may be unloaded then: workers that wait end, and the program's
// destructors with them, for a pthread key's or a thread_local object's may be the library's. Those
// in a region end with it. wait: returns when they have ended.
void end_all(bool wait);

// Workers that wait end. Returns when they have; it is not long that it waits for destructors.
void end_idle();

// From then on, when the initial thread calls exit() or returns from main, workers end first of
// all: what their destructors write is not lost, and they run before those of static objects, which
// they may use. They are waited for as in end_all. So too where that thread ends before the
// process: from then on none is kept. Where another thread calls exit(), workers stay as they are
// (leaving.hpp). To be called on the initial thread, once, before any is kept; on
// another it does nothing.
void end_all_at_exit();

}  // namespace nestbind::workers
