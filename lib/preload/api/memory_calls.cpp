// SPDX-License-Identifier: BSD-3-Clause
// The C interface of memory: include/nestbind/memory.h. libnestbind-memory.so does the work.
#include <nestbind/memory.h>
#include <stdlib.h>
#include <sys/syscall.h>

#include "memory/loading/load_memory.hpp"
#include "placement/placement_start.hpp"
#include "placement/questions.hpp"
#include "process/undisturbed.hpp"
#include "support/errno_kept.hpp"
#include "support/system_call.hpp"

#define NESTBIND_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

// A cancelled thread could keep a lock of libnestbind-memory.so.
template <typename Action>
int by_module(Action action) {
  const nestbind::support::ErrnoKept errno_kept;
  if (nestbind::placement::is_off(nestbind::options::kMemoryOff)) {
    return NESTBIND_TURNED_OFF;
  }
  const nestbind::memory::MemoryApi* const module = nestbind::memory::load();
  if (module == nullptr) {
    return NESTBIND_NO_MODULE;
  }
  const nestbind::process::Uncancelled uncancelled;
  return action(*module);
}

}  // namespace

NESTBIND_EXPORT int nestbind_memory_spread(void* p, size_t bytes, int how) {
  return by_module([&](const nestbind::memory::MemoryApi& module) {
    nestbind::mask::MaskBuffer buffer;
    const nestbind::placement::OwnTeam team = nestbind::placement::own_team(buffer);
    const int error = module.spread(
        p, bytes, how, {.partition = team.partition, .members = team.size, .places = team.places});
    free(team.places);
    return error;
  });
}

NESTBIND_EXPORT int nestbind_memory_replicate(const void* p, size_t bytes,
                                              struct nestbind_replicas** replicas) {
  return by_module([&](const nestbind::memory::MemoryApi& module) {
    nestbind::mask::MaskBuffer buffer;
    return module.replicate(p, bytes, nestbind::placement::process_partition(buffer), replicas);
  });
}

NESTBIND_EXPORT const void* nestbind_memory_copy(const struct nestbind_replicas* replicas) {
  unsigned processor = 0;
  nestbind::support::kernel_answer(SYS_getcpu, nestbind::support::as_word(&processor), 0, 0, 0, 0,
                                   0);
  return replicas->copy[processor < replicas->processors ? processor : 0];
}

NESTBIND_EXPORT int nestbind_memory_release(struct nestbind_replicas* replicas) {
  return replicas == nullptr ? int{NESTBIND_OK}
                             : by_module([&](const nestbind::memory::MemoryApi& module) {
                                 return module.release(replicas);
                               });
}

NESTBIND_EXPORT int nestbind_memory_where(const void* p, size_t bytes, size_t* pages_on_node,
                                          int capacity) {
  return by_module([&](const nestbind::memory::MemoryApi& module) {
    return module.where(p, bytes, pages_on_node, capacity);
  });
}
