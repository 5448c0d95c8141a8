// SPDX-License-Identifier: BSD-3-Clause
// The interface of libnestbind-memory.so for libnestbind.so. The functions throw no exceptions.
#pragma once

#include <nestbind/memory.h>

#include <cstddef>

#include "mask/cpu_mask.hpp"

namespace nestbind::memory {

using mask::CpuMask;

struct Caller {
  CpuMask partition;  // if empty, all processors are used
  int members = 1;    // of the thread's present team, or of its next team; at least 1
  // The processors of each member's place. If null, the members have equal parts of `partition`.
  const CpuMask* places = nullptr;
};

// An int is a nestbind_error, as memory.h says. Several threads may call at the same time.
struct MemoryApi {
  int (*spread)(void* p, std::size_t bytes, int how, const Caller& caller);
  int (*replicate)(const void* p, std::size_t bytes, const CpuMask& partition,
                   nestbind_replicas** replicas);
  int (*release)(nestbind_replicas* replicas);
  int (*where)(const void* p, std::size_t bytes, std::size_t* pages_on_node, int capacity);
};

inline constexpr char kMemorySymbol[] = "nestbind_memory_2";
inline constexpr char kMemoryFile[] = "libnestbind-memory.so";

}  // namespace nestbind::memory
