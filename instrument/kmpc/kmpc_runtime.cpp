// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/kmpc/kmpc_runtime.hpp"

#include <dlfcn.h>
#include <stdint.h>

#include "interpose/next_function.hpp"
#include "interpose/redirect.hpp"
#include "omp/runtimes.hpp"
#include "process/undisturbed.hpp"
#include "support/errno_kept.hpp"

namespace nestbind::kmpc {

constinit std::atomic<const Runtime*> g_global{nullptr};
constinit interpose::KnownModules g_modules;

namespace {

constexpr int kFirst = 0;

// If several threads find a copy at once, it gets several records, which does no harm.
constexpr int kMost = 16;
constinit Runtime g_copies[kMost]{};
constinit std::atomic<bool> g_is_ready[kMost]{};
constinit std::atomic<bool> g_is_kept[kMost]{};
constinit std::atomic<int> g_count{0};
constinit thread_local const Runtime* t_last __attribute__((tls_model("initial-exec"))) = nullptr;

const Runtime* known_copy(const void* first) {
  for (int i = 0; i < kMost; ++i) {
    if (g_is_ready[i].load(std::memory_order_acquire) && g_copies[i].entry[kFirst] == first) {
      return &g_copies[i];
    }
  }
  return nullptr;
}

// Does not ask the loader. Returns null if omp_* functions are not found (hidden static runtime).
const Runtime* copy_of(const void* first) {
  if (const Runtime* known = known_copy(first)) {
    return known;
  }
  const auto find = [&](const char* name) { return interpose::defined_function(first, name); };
  Runtime found{};
  for (int entry = 0; entry < kEntryCount; ++entry) {
    found.entry[entry] = find(kEntries[entry]);
  }
  found.fork_call = find("__kmpc_fork_call");
  if (found.entry[kFirst] == nullptr || !omp::find_calls(found.calls, find)) {
    return nullptr;
  }
  const int place = g_count.fetch_add(1, std::memory_order_relaxed);
  if (place >= kMost) {
    g_count.store(kMost, std::memory_order_relaxed);
    return nullptr;
  }
  g_copies[place] = found;
  g_is_ready[place].store(true, std::memory_order_release);
  return &g_copies[place];
}

// Asks the loader. Do not call this function in a constructor's region.
void keep_copies() {
  const support::ErrnoKept errno_kept;
  for (int i = 0; i < kMost; ++i) {
    if (g_is_ready[i].load(std::memory_order_acquire) && !g_is_kept[i].exchange(true)) {
      interpose::open_module(g_copies[i].entry[kFirst], RTLD_NODELETE);
    }
  }
}

// Returns the copy that `code` calls. Does not wait for the loader's lock, because the calling
// thread may be a worker in a constructor's region.
const Runtime* bound_copy(const void* code) {
  const void* bound = code == nullptr ? nullptr : interpose::bound_function(code, "__kmpc_");
  const void* first =
      bound == nullptr ? nullptr : interpose::defined_function(bound, kEntries[kFirst]);
  return first == nullptr ? nullptr : copy_of(first);
}

const void* own_first(const void* code) {
  void* module = code == nullptr ? nullptr : interpose::open_module(code);
  if (module == nullptr) {
    return nullptr;
  }
  const void* first = dlsym(module, kEntries[kFirst]);
  interpose::close_module(module);
  return interpose::is_ours(first) ? nullptr : first;  // the module may be linked with us
}

const Runtime* find_by_loader(const void* caller) {
  if (const void* global = interpose::find_next(kEntries[kFirst])) {
    const Runtime* runtime = copy_of(global);
    g_global.store(runtime, std::memory_order_release);
    return runtime;
  }
  const void* first = own_first(caller);
  const Runtime* runtime = first == nullptr ? nullptr : copy_of(first);
  if (runtime != nullptr) {
    g_modules.remember(caller, runtime);
  }
  return runtime;
}

const Runtime* find_runtime(const void* caller) {
  const support::ErrnoKept errno_kept;
  const process::Uncancelled uncancelled;
  if (const Runtime* bound = bound_copy(caller)) {
    g_modules.remember(caller, bound);
    return bound;
  }
  const Runtime* runtime = find_by_loader(caller);
  keep_copies();
  return runtime;
}

void look_for_global() { find_runtime(nullptr); }

// Called when a copy starts.
void look_again(const omp::Calls&) {
  if (global_runtime() == nullptr) {
    look_for_global();
    dlerror();
  }
}

// Asks the loader at the start, before there are threads.
__attribute__((constructor)) void begin() {
  look_for_global();
  static constinit interpose::Closing when_closed{[] { g_modules.forget_unloaded(); }, keep_copies};
  interpose::add(when_closed);
  static constinit omp::StartListener when_started{look_again};
  omp::add(when_started);
  // The program must not see an error of our own searches in dlerror().
  dlerror();
}

}  // namespace

const Runtime* runtime_of(const void* caller) {
  // Own copies of modules come first: a global copy that is loaded later does not replace them.
  const auto* runtime =
      static_cast<const Runtime*>(g_modules.find(reinterpret_cast<uintptr_t>(caller)));
  if (runtime == nullptr) {
    runtime = global_runtime();
  }
  if (runtime == nullptr) {
    runtime = find_runtime(caller);
  }
  if (runtime != nullptr) {
    t_last = runtime;
  }
  return t_last;
}

}  // namespace nestbind::kmpc
