// SPDX-License-Identifier: BSD-3-Clause
// The calling thread's present loop, as GCC's entries know it.
#pragma once

#include "instrument/gomp/gomp_runtime.hpp"
#include "worksharing/loop.hpp"

namespace nestbind::gomp {

// A combined loop, begun by members. The runtime gets it only if we do not share it.
struct ForkedLoop {
  worksharing::LoopBegin begin;
  const Runtime* runtime;
  int start;  // the runtime's entry by which members begin it
  long first;
  long behind;
  long step;
  long chunk;
  bool has_chunk;
};

struct Loop {
  const Runtime* runtime;    // of the last begun loop; null: not known, or ended
  const ForkedLoop* forked;  // not begun yet; null: none
};
extern constinit thread_local Loop t_loop __attribute__((tls_model("initial-exec")));

}  // namespace nestbind::gomp
