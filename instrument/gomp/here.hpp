// SPDX-License-Identifier: BSD-3-Clause
// What GCC's entries know about the calling thread's present loop.
#pragma once

#include "instrument/gomp/gomp_runtime.hpp"
#include "worksharing/loop.hpp"

namespace nestbind::gomp {

// A combined parallel loop. Each member begins the loop. The runtime gets the loop only if we do
// not share it.
struct ForkedLoop {
  worksharing::LoopBegin begin;
  const Runtime* runtime;
  int start;
  long first;
  long behind;
  long step;
  long chunk;
  bool has_chunk;
};

struct Loop {
  const Runtime* runtime;  // null if the thread has no loop, or if the runtime is unknown
  const ForkedLoop* forked;
};
extern constinit thread_local Loop t_loop __attribute__((tls_model("initial-exec")));

}  // namespace nestbind::gomp
