// SPDX-License-Identifier: BSD-3-Clause
// The border between the small library that is in every process and libnestbind-memory.so, which
// knows where pages are and moves them. It is loaded when it is first asked for. C types only; no
// exception crosses it.
#pragma once

#include <nestbind/memory.h>

#include <cstddef>
#include <cstdint>

#include "interpose/code_place.hpp"
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

// What is watched, and how it is told (NESTBIND_MEMORY).
struct WatchOptions {
  bool is_apply;      // it is moved too
  bool always;        // also where it is not known how much the program asks of its memory
  int every;          // milliseconds between two intervals of moving
  std::size_t least;  // regions with fewer bytes are left out
  int seconds;        // to watch; 0: to the process's end
  bool is_json;
  // Where some code is: the small library knows.
  void (*find_code)(std::uintptr_t address, interpose::CodePlace& place);
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

  // Begins to watch who touches the process's memory, once; the calling thread is its initial one.
  // What cannot be watched here the report tells. Returns 0, or an errno where nothing is watched:
  // no memory, no thread, or EPERM for a sandbox that would end the process for it.
  int (*watch)(const WatchOptions& options);
  // Ends that. The report, as a text for free(); null where there is nothing to tell, or no memory.
  char* (*report)();
  // In a forked child: it watches nothing.
  void (*forget)();
};

// Exported by libnestbind-memory.so.
inline constexpr char kMemorySymbol[] = "nestbind_memory_1";
inline constexpr char kMemoryFile[] = "libnestbind-memory.so";

}  // namespace nestbind::memory
