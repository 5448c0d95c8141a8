// SPDX-License-Identifier: BSD-3-Clause
// The copies of LLVM's or Intel's runtime in this process, and the one that a call belongs to.
#pragma once

#include <atomic>
#include <iterator>
#include <string_view>

#include "interpose/known_modules.hpp"
#include "omp/calls.hpp"

namespace nestbind::kmpc {

// The entries that we stand before. An older runtime has not all.
inline constexpr const char* kEntries[] = {
    "__kmpc_dispatch_init_4",  "__kmpc_dispatch_init_4u", "__kmpc_dispatch_init_8",
    "__kmpc_dispatch_init_8u", "__kmpc_dispatch_next_4",  "__kmpc_dispatch_next_4u",
    "__kmpc_dispatch_next_8",  "__kmpc_dispatch_next_8u", "__kmpc_dispatch_fini_4",
    "__kmpc_dispatch_fini_4u", "__kmpc_dispatch_fini_8",  "__kmpc_dispatch_fini_8u",
    "__kmpc_dispatch_deinit",  "__kmpc_doacross_init",    "__kmpc_doacross_fini",
    "__kmpc_barrier",          "__kmpc_cancel_barrier",
};
inline constexpr int kEntryCount = static_cast<int>(std::size(kEntries));

// Its place among them, for the compiler.
consteval int entry_of(std::string_view name) {
  int entry = 0;
  while (kEntries[entry] != name) {
    ++entry;
  }
  return entry;
}

struct Runtime {
  void* entry[kEntryCount];  // null: it has none
  void* fork_call;           // __kmpc_fork_call
  omp::Calls calls;
};

// The copy that a call belongs to: that of the module that has called. Programs may load several
// out of each other's sight, as Python wheels do. A tail call hides who has called; where nothing
// is found by the address, the copy that the calling thread has called last. Null where there is
// none.
const Runtime* runtime_of(const void* caller);

// Written by runtime_of alone.
extern std::atomic<const Runtime*> g_global;
extern interpose::KnownModules g_modules;

// The copy in the global scope, to which all code is bound; null: not found (yet). Never asks the
// loader.
inline const Runtime* global_runtime() { return g_global.load(std::memory_order_acquire); }

// Whether there are, or have been, copies out of the global scope.
inline bool has_own_copies() { return g_modules.had_some(); }

// The function of an entry, in the runtime that a call belongs to.
template <typename Function>
Function* function_of(const Runtime& runtime, int entry) {
  return reinterpret_cast<Function*>(runtime.entry[entry]);
}

}  // namespace nestbind::kmpc
