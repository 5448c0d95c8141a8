// SPDX-License-Identifier: BSD-3-Clause
// Finds the copies of LLVM's and Intel's runtimes. Finds the copy that a call must use.
#pragma once

#include <atomic>
#include <iterator>
#include <string_view>

#include "interpose/module.hpp"
#include "omp/calls.hpp"

namespace nestbind::kmpc {

inline constexpr const char* kEntries[] = {
    "__kmpc_dispatch_init_4",  "__kmpc_dispatch_init_4u", "__kmpc_dispatch_init_8",
    "__kmpc_dispatch_init_8u", "__kmpc_dispatch_next_4",  "__kmpc_dispatch_next_4u",
    "__kmpc_dispatch_next_8",  "__kmpc_dispatch_next_8u", "__kmpc_dispatch_fini_4",
    "__kmpc_dispatch_fini_4u", "__kmpc_dispatch_fini_8",  "__kmpc_dispatch_fini_8u",
    "__kmpc_dispatch_deinit",  "__kmpc_doacross_init",    "__kmpc_doacross_fini",
    "__kmpc_barrier",          "__kmpc_cancel_barrier",
};
inline constexpr int kEntryCount = static_cast<int>(std::size(kEntries));

consteval int entry_of(std::string_view name) {
  int entry = 0;
  while (kEntries[entry] != name) {
    ++entry;
  }
  return entry;
}

struct Runtime {
  void* entry[kEntryCount];  // null if an older runtime lacks the entry
  void* fork_call;
  omp::Calls calls;
};

// Returns the calling module's copy, or null. After a tail call the module is unknown. Then the
// result is the thread's last copy. A process may have several copies that are hidden from each
// other, for example from Python wheels.
const Runtime* runtime_of(const void* caller);

extern std::atomic<const Runtime*> g_global;
extern interpose::KnownModules g_modules;

// Returns the global copy, or null if it is not known yet. Never asks the loader.
inline const Runtime* global_runtime() { return g_global.load(std::memory_order_acquire); }

// True if there has been a copy outside the global scope.
inline bool has_own_copies() { return g_modules.had_some(); }

template <typename Function>
Function* function_of(const Runtime& runtime, int entry) {
  return reinterpret_cast<Function*>(runtime.entry[entry]);
}

}  // namespace nestbind::kmpc
