// SPDX-License-Identifier: BSD-3-Clause
// Waits for ending workers, which were told to end, but whose threads still exist in the kernel.
// These threads may run the program's destructors, and they count towards limits on threads.
#pragma once

#include <errno.h>

#include "workers/idle.hpp"

namespace nestbind::workers {

// Waits for the end of each ending worker whose call is done. The destructors of a worker may wait
// for the calling thread. So the wait for a worker is limited to five seconds. If the calling
// thread is an ending worker, does nothing.
void wait_for_leaving();

// Makes the process wait for ending workers at its exit. Must be called after the constructors of
// static objects. Then the destructors of these objects run after the wait.
void watch_exit();

// Ends the waiting workers of all primary threads, and returns after their threads have ended in
// the kernel. `before` is an earlier result of departures(). Returns false if no worker's thread
// has ended since that call.
bool make_room(unsigned before);

// Calls create(). If there is no room, ends waiting workers, and calls create() again. If no
// worker has ended, returns the failure. lacks_room(result) returns whether there was no room.
template <typename Create, typename LacksRoom>
auto with_room(Create create, LacksRoom lacks_room) {
  for (;;) {
    const unsigned before = departures();
    const auto result = create();
    if (!lacks_room(result) || !make_room(before)) {
      return result;
    }
  }
}

// For functions like pthread_create and posix_spawn, which return an error.
inline constexpr auto kReturnsError = [](int result) {
  return result == EAGAIN || result == ENOMEM;
};

// For functions that return a child's number.
inline constexpr auto kSetsErrno = [](long child) { return child < 0 && kReturnsError(errno); };

}  // namespace nestbind::workers
