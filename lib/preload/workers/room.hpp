// SPDX-License-Identifier: BSD-3-Clause
// Workers that wait are in nobody's way: where there is no room for a thread or a process, they
// end, and who asked for the room tries again.
#pragma once

#include <errno.h>

#include "workers/idle.hpp"

namespace nestbind::workers {

// Ends the workers of all primary threads that wait, and returns when the kernel has let them go.
// Returns false where no thread of a worker has gone since departures() told `before`.
bool make_room(unsigned before);

// Calls create() until it does not fail for want of room, or until there is none. What it returns
// is what lacks_room() judges.
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

// As pthread_create and posix_spawn tell it.
inline constexpr auto kReturnsError = [](int result) {
  return result == EAGAIN || result == ENOMEM;
};

// As those do that return a child's number.
inline constexpr auto kSetsErrno = [](long child) { return child < 0 && kReturnsError(errno); };

}  // namespace nestbind::workers
