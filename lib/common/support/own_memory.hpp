// SPDX-License-Identifier: BSD-3-Clause
// What `new` gives within libnestbind-memory.so: to the thread that samples, memory from the
// kernel, and to all others the program's allocator's. A thread of ours that holds that allocator's
// lock when it has to wait would have the program wait with it; and a program with one thread may
// have an allocator that is for one thread.
#pragma once

namespace nestbind::support {

// As long as it lives, the calling thread has memory of its own. For one thread at a time. What it
// has then may be given back later by any thread, once it lives no more.
class OwnMemory {
 public:
  OwnMemory();
  ~OwnMemory();
  OwnMemory(const OwnMemory&) = delete;
  OwnMemory& operator=(const OwnMemory&) = delete;
};

}  // namespace nestbind::support
