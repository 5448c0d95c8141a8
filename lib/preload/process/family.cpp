// SPDX-License-Identifier: BSD-3-Clause
#include "process/family.hpp"

#include <sys/mman.h>

#include <atomic>
#include <new>

#include "support/errno_kept.hpp"

namespace nestbind::process {

namespace {

constinit std::atomic<bool> g_told{false};  // used if the processes cannot share memory
constinit std::atomic<bool>* g_shared = &g_told;
constinit std::atomic<bool> g_has_child{false};

}  // namespace

void begin_family() {
  const support::ErrnoKept errno_kept;
  void* memory =
      mmap(nullptr, sizeof *g_shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) {
    g_shared = new (memory) std::atomic<bool>{false};
  }
}

bool is_first_to_tell() { return !g_shared->exchange(true); }

void note_child() { g_has_child.store(true, std::memory_order_relaxed); }
bool has_child() { return g_has_child.load(std::memory_order_relaxed); }

}  // namespace nestbind::process
