// SPDX-License-Identifier: BSD-3-Clause
// What the calling thread is in, as GCC's entries know it.
#pragma once

#include "instrument/gomp/runtime.hpp"
#include "sharing/loop.hpp"

namespace nestbind::gomp {

// The loop of a fork that is one with its loop: the members begin it themselves, when they first
// ask for iterations. The runtime is told of it only where it is the runtime's after all.
struct ForkedLoop {
  sharing::LoopBegin begin;
  int start;  // the runtime's entry by which members begin such a loop
  long first;
  long behind;
  long step;
  long chunk;
  bool has_chunk;
  bool operator==(const ForkedLoop&) const = default;
};

struct Here {
  const Runtime* runtime;    // of the region; null: of none that was told
  const Runtime* of_loop;    // of the loop that has begun last; null: not known, or it has ended
  const ForkedLoop* forked;  // that is still to be begun; null: none
};
extern constinit thread_local Here t_here __attribute__((tls_model("initial-exec")));

}  // namespace nestbind::gomp
