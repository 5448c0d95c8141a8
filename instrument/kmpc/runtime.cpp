// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/kmpc/runtime.hpp"

#include <dlfcn.h>
#include <stdint.h>

#include <atomic>

#include "interpose/closing.hpp"
#include "interpose/lost_places.hpp"
#include "interpose/module.hpp"
#include "interpose/next_function.hpp"
#include "interpose/own_module.hpp"
#include "interpose/program_start.hpp"
#include "omp/runtimes.hpp"
#include "process/undisturbed.hpp"
#include "support/errno_kept.hpp"

namespace nestbind::kmpc {

constinit std::atomic<const Runtime*> g_global{nullptr};
constinit interpose::KnownModules g_modules;

namespace {

constexpr int kFirst = 0;  // every runtime has this entry

// Several threads may find the same copy at once and make two of it, which does no harm.
constexpr int kMost = 16;
constinit Runtime g_copies[kMost]{};
constinit std::atomic<bool> g_is_ready[kMost]{};
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

// The copy with this function. It stays loaded from now on. Null where it cannot be asked for its
// threads, as one that is linked statically and hidden.
const Runtime* copy_of(const void* first) {
  if (const Runtime* known = known_copy(first)) {
    return known;
  }
  void* library = interpose::open_module(first, RTLD_NODELETE);
  if (library == nullptr) {
    return nullptr;
  }
  const auto find = [&](const char* name) { return interpose::find_in(library, name); };
  Runtime found{};
  for (int entry = 0; entry < kEntryCount; ++entry) {
    found.entry[entry] = find(kEntries[entry]);
  }
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

// What the module of some code has brought for itself.
const void* own_first(const void* code) {
  void* module = code == nullptr ? nullptr : interpose::open_module(code);
  if (module == nullptr) {
    return nullptr;
  }
  const void* first = interpose::find_in(module, kEntries[kFirst]);
  interpose::close_module(module);
  return interpose::is_ours(first) ? nullptr : first;  // it may be linked with us
}

const Runtime* find_own(const void* caller) {
  const void* first = own_first(caller);
  const Runtime* runtime = first == nullptr ? nullptr : copy_of(first);
  if (runtime != nullptr) {
    g_modules.remember(caller, runtime);
  }
  return runtime;
}

// In the order in which the loader binds.
const Runtime* find_runtime(const void* caller) {
  const support::ErrnoKept errno_kept;
  const process::Uncancelled uncancelled;
  if (const void* global = interpose::find_next(kEntries[kFirst])) {
    const Runtime* runtime = copy_of(global);
    g_global.store(runtime, std::memory_order_release);
    return runtime;
  }
  return find_own(caller);
}

void look_for_global() { find_runtime(nullptr); }

// Whether a runtime has our entries at all.
bool has_entries(const omp::Calls& calls) {
  void* module = interpose::open_module(reinterpret_cast<const void*>(calls.get_num_threads));
  if (module == nullptr) {
    return false;
  }
  const void* first = interpose::find_in(module, kEntries[kFirst]);
  interpose::close_module(module);
  return first != nullptr;
}

// A copy starts, maybe in the constructor of the module that has brought it: it is found out now
// whose each loaded module's is, since the workers must not ask.
void know_modules(const omp::Calls& started) {
  const support::ErrnoKept errno_kept;
  const process::Uncancelled uncancelled;
  if (global_runtime() != nullptr || !has_entries(started) ||
      interpose::find_next(kEntries[kFirst]) != nullptr) {
    return;
  }
  constexpr int kAtOnce = 64;
  const void* modules[kAtOnce];
  int count = kAtOnce;
  for (int first = 0; count == kAtOnce; first += count) {
    count = interpose::module_addresses(first, modules, kAtOnce);
    for (int i = 0; i < count; ++i) {
      if (g_modules.find(reinterpret_cast<uintptr_t>(modules[i])) == nullptr) {
        find_own(modules[i]);
      }
    }
  }
}

// The loader is asked here, before there are threads: a worker that asks it while another thread
// holds its lock, and waits for the worker in a constructor's region, would wait for ever.
__attribute__((constructor)) void begin() {
  if (interpose::has_taken_places()) {
    interpose::at_program_start(look_for_global);
  } else {
    look_for_global();
  }
  static constinit interpose::Closing when_closed{[] { g_modules.forget_unloaded(); }};
  interpose::add(when_closed);
  static constinit omp::StartListener when_started{know_modules};
  omp::add(when_started);
  // What has been looked for at the start and is not there is no error of the program's.
  dlerror();
}

}  // namespace

const Runtime* runtime_of(const void* caller) {
  // Modules with a copy of their own, which a later global one does not concern, come first.
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
