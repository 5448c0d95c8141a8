// SPDX-License-Identifier: BSD-3-Clause
// The loop that the calling thread is in, as GCC's entries know it.
#pragma once

#include "instrument/gomp/gomp_runtime.hpp"
#include "worksharing/loop.hpp"

namespace nestbind::gomp {

// The loop of a fork that is one with its loop: the members begin it themselves, when they first
// ask for iterations. The runtime is told of it only where it is the runtime's after all.
struct ForkedLoop {
  worksharing::LoopBegin begin;
  const Runtime* runtime;
  int start;  // the runtime's entry by which members begin such a loop
  long first;
  long behind;
  long step;
  long chunk;
  bool has_chunk;
};

struct Loop {
  const Runtime* runtime;    // of the loop that has begun last; null: not known, or it has ended
  const ForkedLoop* forked;  // that is still to be begun; null: none
};
extern constinit thread_local Loop t_loop __attribute__((tls_model("initial-exec")));

}  // namespace nestbind::gomp
