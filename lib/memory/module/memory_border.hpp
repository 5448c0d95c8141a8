// SPDX-License-Identifier: BSD-3-Clause
// The border between the small library that is in every process and libnestbind-memory.so, which
// knows where pages are and moves them. It is loaded when it is first asked for. C types only; no
// exception crosses it.
#pragma once

#include <nestbind/memory.h>

#include <cstddef>

#include "mask/cpu_mask.hpp"

namespace nestbind::memory {

using mask::CpuMask;

// What is known of the calling thread where it asks.
struct Caller {
  CpuMask partition;  // the processors of its partition; no bits: not known, then all are
  int members = 1;    // of its present team, or its next one; at least 1
  // For each member the processors of its place. Null: they have equal parts of `partition`.
  const CpuMask* places = nullptr;
};

// Functions that return an int return a nestbind_error, with the meaning that memory.h gives it.
// They may be called from several threads at a time.
struct MemoryApi {
  // The functions of memory.h with these names.
  int (*spread)(void* p, std::size_t bytes, int how, const Caller& caller);
  // share: the processors of the process, whose nodes get copies; no bits: all.
  int (*replicate)(const void* p, std::size_t bytes, const CpuMask& partition,
                   nestbind_replicas** replicas);
  int (*release)(nestbind_replicas* replicas);
  int (*where)(const void* p, std::size_t bytes, std::size_t* pages_on_node, int capacity);
};

// Exported by libnestbind-memory.so.
inline constexpr char kMemorySymbol[] = "nestbind_memory_2";
inline constexpr char kMemoryFile[] = "libnestbind-memory.so";

}  // namespace nestbind::memory
