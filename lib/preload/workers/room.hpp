// SPDX-License-Identifier: BSD-3-Clause
// If there is no room for a new thread or process, waiting workers end, and we try again.
#pragma once

#include <errno.h>

#include "workers/idle.hpp"

namespace nestbind::workers {

// Ends the waiting workers of all primary threads, and returns after they have ended in the kernel.
// Returns false if no worker's thread has ended after departures() returned `before`.
bool make_room(unsigned before);

// Calls create() again while it fails for lack of room and workers can still make room.
// lacks_room(result) says whether room was the reason.
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
