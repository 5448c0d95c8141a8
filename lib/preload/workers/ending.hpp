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
// process: from then on none is kept. Where another thread calls exit(), workers stay as they
// are. To be called on the initial thread, once, before any is kept; on another it does nothing.
void end_all_at_exit();

// Waits until those whose calls are done have left; for each at most five seconds from when it has
// begun to leave, since its destructors may wait for the calling thread. Not on a worker that
// itself leaves.
void wait_for_leaving();

// From then on, when the process exits, it waits for those that are leaving, and no other runs
// destructors: they would run beside those of static objects. To be called late, so that it does so
// before the destructors of objects that are made before main.
void watch_exit();

// The C library's own way to have something done when the calling thread ends, or calls exit():
// before the functions of atexit, and before the destructors of static objects. It takes the
// loader's lock: who waits for it while a constructor's region waits for its worker waits for ever.
//
// Returns whether it will be called.
bool at_thread_end(void (*function)(void*), void* object);

}  // namespace nestbind::workers
