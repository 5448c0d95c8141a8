// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdint.h>

#include <atomic>
#include <iterator>
#include <string_view>

#include "interpose/module.hpp"
#include "omp/calls.hpp"

namespace nestbind::gomp {

using Outlined = void (*)(void*);

// The entries that fork a team. libgomp 12 has all entries.
inline constexpr const char* kEntries[] = {
    "GOMP_parallel",
    "GOMP_parallel_sections",
    "GOMP_parallel_reductions",
    "GOMP_parallel_loop_static",
    "GOMP_parallel_loop_dynamic",
    "GOMP_parallel_loop_guided",
    "GOMP_parallel_loop_runtime",
    "GOMP_parallel_loop_nonmonotonic_dynamic",
    "GOMP_parallel_loop_nonmonotonic_guided",
    "GOMP_parallel_loop_nonmonotonic_runtime",
    "GOMP_parallel_loop_maybe_nonmonotonic_runtime",
    "GOMP_parallel_start",
    "GOMP_parallel_sections_start",
    "GOMP_parallel_loop_static_start",
    "GOMP_parallel_loop_dynamic_start",
    "GOMP_parallel_loop_guided_start",
    "GOMP_parallel_loop_runtime_start",
    "GOMP_parallel_end",
};

consteval int entry_of(std::string_view name) {
  int entry = 0;
  while (kEntries[entry] != name) {
    ++entry;
  }
  return entry;
}

inline constexpr int kParallel = entry_of("GOMP_parallel");

inline constexpr const char* kLoopEntries[] = {
    "GOMP_loop_runtime_start",
    "GOMP_loop_nonmonotonic_runtime_start",
    "GOMP_loop_maybe_nonmonotonic_runtime_start",
    "GOMP_loop_dynamic_start",
    "GOMP_loop_nonmonotonic_dynamic_start",
    "GOMP_loop_guided_start",
    "GOMP_loop_nonmonotonic_guided_start",
    "GOMP_loop_runtime_next",
    "GOMP_loop_nonmonotonic_runtime_next",
    "GOMP_loop_maybe_nonmonotonic_runtime_next",
    "GOMP_loop_dynamic_next",
    "GOMP_loop_nonmonotonic_dynamic_next",
    "GOMP_loop_guided_next",
    "GOMP_loop_nonmonotonic_guided_next",
    "GOMP_loop_ull_runtime_start",
    "GOMP_loop_ull_nonmonotonic_runtime_start",
    "GOMP_loop_ull_maybe_nonmonotonic_runtime_start",
    "GOMP_loop_ull_dynamic_start",
    "GOMP_loop_ull_nonmonotonic_dynamic_start",
    "GOMP_loop_ull_guided_start",
    "GOMP_loop_ull_nonmonotonic_guided_start",
    "GOMP_loop_ull_runtime_next",
    "GOMP_loop_ull_nonmonotonic_runtime_next",
    "GOMP_loop_ull_maybe_nonmonotonic_runtime_next",
    "GOMP_loop_ull_dynamic_next",
    "GOMP_loop_ull_nonmonotonic_dynamic_next",
    "GOMP_loop_ull_guided_next",
    "GOMP_loop_ull_nonmonotonic_guided_next",
    "GOMP_loop_end",
    "GOMP_loop_end_nowait",
    "GOMP_loop_end_cancel",
    "GOMP_barrier",
    "GOMP_barrier_cancel",
};

consteval int loop_entry_of(std::string_view name) {
  int entry = 0;
  while (kLoopEntries[entry] != name) {
    ++entry;
  }
  return entry;
}

struct Runtime {
  void* entry[std::size(kEntries)];
  void* loop[std::size(kLoopEntries)];  // null if an older libgomp or LLVM's runtime lacks it
  void* set_schedule;
  omp::Calls calls;
  bool is_gnu;
  bool is_heard;  // true if GCC's entries report the forks
};

// Remembers the runtime of each module. remember_module() and forget_unloaded() ask the loader, and
// so may wait for its lock. The other functions take no lock, because each fork calls them. Only
// remember_module and forget_unloaded write this variable.
extern interpose::KnownModules g_modules;

inline const Runtime* known_runtime_of(uintptr_t address) {
  return static_cast<const Runtime*>(g_modules.find(address));
}

inline bool some_modules_are_known() { return g_modules.had_some(); }

// Remembers the runtime until the module of `code` is unloaded. Does nothing if there is no room.
void remember_module(const void* code, const Runtime* runtime);

// Forgets unloaded modules, because other modules may get their addresses.
void forget_unloaded();

extern std::atomic<const Runtime*> g_global;

// Returns the copy in the global scope, or null if runtime_of has not found it yet. Never asks the
// loader. All modules use this copy, except modules with their own copy (g_modules).
inline const Runtime* global_runtime() { return g_global.load(std::memory_order_acquire); }

const Runtime* find_runtime_of(const void* code);

const Runtime* runtime_with(const omp::Calls& calls);

// Returns the copy that `code` calls, or null. A process may have several copies, for example from
// Python wheels. Such copies are renamed and hidden from each other.
inline const Runtime* runtime_of(const void* code) {
  const Runtime* const global = global_runtime();
  return global != nullptr && !some_modules_are_known() ? global : find_runtime_of(code);
}

}  // namespace nestbind::gomp
