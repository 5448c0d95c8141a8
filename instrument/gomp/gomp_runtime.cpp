// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/gomp/gomp_runtime.hpp"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "interpose/next_function.hpp"
#include "interpose/redirect.hpp"
#include "observe/observer.hpp"
#include "omp/sources.hpp"
#include "placement/placement_start.hpp"
#include "process/undisturbed.hpp"
#include "sizes/told_sizes.hpp"
#include "support/errno_kept.hpp"

namespace nestbind::gomp {

constinit std::atomic<const Runtime*> g_global{nullptr};

namespace {

// Only LLVM's runtime has __kmpc_fork_call.
constexpr char kLlvmFork[] = "__kmpc_fork_call";
constexpr char kLlvmForks[] = "__kmpc_fork_";
// LLVM's runtime starts threads for a league, but does not add the league to omp_get_level().
constexpr char kLeague[] = "GOMP_teams";

// A list to which several threads may add at once. Reading needs no lock. Entries stay for ever.
template <typename Entry, int kMost>
struct Row {
  struct Place {
    Entry entry;
    std::atomic<bool> is_ready;
  };
  Place places[kMost];
  std::atomic<int> count;

  bool is_full() const { return count.load(std::memory_order_relaxed) >= kMost; }

  Entry* add(const Entry& entry) {
    const int number = is_full() ? kMost : count.fetch_add(1, std::memory_order_relaxed);
    if (number >= kMost) {
      return nullptr;
    }
    places[number].entry = entry;
    places[number].is_ready.store(true, std::memory_order_release);
    return &places[number].entry;
  }
};

constinit Row<Runtime, 30> g_copies{};

constexpr char kLevel[] = "omp_get_level";

bool fill(void* library, bool is_wrapped, Runtime& runtime) {
  const auto look = [&](const char* name) {
    return is_wrapped ? interpose::find_next(name) : dlsym(library, name);
  };
  for (std::size_t i = 0; i < std::size(kEntries); ++i) {
    runtime.entry[i] = look(kEntries[i]);
  }
  for (std::size_t i = 0; i < std::size(kLoopEntries); ++i) {
    runtime.loop[i] = look(kLoopEntries[i]);
  }
  runtime.set_schedule = dlsym(library, "omp_set_schedule");
  runtime.calls.tells_functions = true;
  return runtime.entry[kParallel] != nullptr &&
         omp::find_calls(runtime.calls, [&](const char* name) { return dlsym(library, name); });
}

Runtime* known_copy(void* parallel) {
  for (auto& [copy, is_ready] : g_copies.places) {
    if (is_ready.load(std::memory_order_acquire) && copy.entry[kParallel] == parallel) {
      return &copy;
    }
  }
  return nullptr;
}

// A constructor may run a parallel region while its thread has the loader's lock. So this function
// takes no lock of ours. If two threads add the same copy, this does no harm.
Runtime* copy_of(void* parallel) {
  if (Runtime* known = known_copy(parallel)) {
    return known;
  }
  // The copy stays loaded, because we keep its functions and its threads may wait in its code.
  void* library = interpose::open_module(parallel, RTLD_NODELETE);
  // A tracer has fork functions but no omp_get_level(). Then the runtime is behind the tracer.
  void* const behind = library == nullptr || dlsym(library, kLevel) != nullptr ||
                               interpose::find_next(kEntries[kParallel]) != parallel
                           ? nullptr
                           : interpose::find_next(kLevel);
  library = behind == nullptr ? library : interpose::open_module(behind, RTLD_NODELETE);
  Runtime found{};
  if (library == nullptr || !fill(library, behind != nullptr, found)) {
    return nullptr;
  }
  found.is_gnu = dlsym(library, kLlvmFork) == nullptr;
  found.is_heard = omp::who_acts(omp::Source::kGomp, {.is_gnu = found.is_gnu}).acts;
  Runtime* copy = g_copies.add(found);
  if (copy != nullptr && copy->is_gnu) {
    placement::start();
    placement::runtime_found(copy->calls);
  }
  return copy;
}

int look_in(dl_phdr_info* info, size_t, void* memory) {
  void* library = strstr(info->dlpi_name, "gomp") == nullptr
                      ? nullptr
                      : dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) {
    return 0;
  }
  void* found = dlsym(library, kEntries[kParallel]);
  interpose::close_module(library);
  if (found == nullptr || interpose::is_ours(found)) {  // only the folder's name has "gomp" in it
    return 0;
  }
  *static_cast<void**>(memory) = found;
  return 1;
}

void* any_parallel() {
  void* parallel = nullptr;
  dl_iterate_phdr(look_in, static_cast<void*>(&parallel));
  return parallel;
}

void* loaded_parallel() {
  void* library = dlopen("libgomp.so.1", RTLD_NOW | RTLD_GLOBAL);
  return library == nullptr ? nullptr : dlsym(library, kEntries[kParallel]);
}

// Returns GOMP_parallel from the libraries of the module that contains `code`, or null.
void* own_parallel(const void* code) {
  void* module = interpose::open_module(code);
  if (module == nullptr) {
    return nullptr;
  }
  void* parallel = dlsym(module, kEntries[kParallel]);
  interpose::close_module(module);
  return interpose::is_ours(parallel) ? nullptr : parallel;  // the module may be linked with us
}

const Runtime* find_runtime(const void* code) {
  const support::ErrnoKept errno_kept;
  const process::Uncancelled uncancelled;  // loading a runtime reads files
  const Runtime* runtime = nullptr;
  if (void* global = interpose::find_next(kEntries[kParallel])) {
    runtime = copy_of(global);
    g_global.store(runtime, std::memory_order_release);
  } else if (code != nullptr) {
    void* parallel = own_parallel(code);
    parallel = parallel == nullptr ? any_parallel() : parallel;
    // The linker may have dropped libgomp as unneeded, because our functions have the same names.
    parallel = parallel == nullptr ? loaded_parallel() : parallel;
    runtime = parallel == nullptr ? nullptr : copy_of(parallel);
  }
  return runtime;
}

bool has_gcc_forks_only(void* parallel) {
  const interpose::ModuleRange ours =
      interpose::module_range(reinterpret_cast<uintptr_t>(&g_copies));
  const interpose::ModuleRange runtime =
      interpose::module_range(reinterpret_cast<uintptr_t>(parallel));
  return interpose::is_imported(kEntries[kParallel], ours) && !interpose::is_imported(kLlvmForks) &&
         !interpose::is_imported(kLeague) && !interpose::is_imported("dlopen", ours, runtime) &&
         !interpose::is_imported("dlmopen", ours, runtime);
}

// LLVM's runtime may replace libgomp. If all forks use GCC's entries, our hooks report these forks.
void hear_llvm() {
  void* parallel = interpose::find_next(kEntries[kParallel]);
  if (!omp::llvm_is_wanted() || parallel == nullptr || known_copy(parallel) != nullptr ||
      !has_gcc_forks_only(parallel)) {
    return;
  }
  Runtime* copy = copy_of(parallel);
  if (copy != nullptr) {
    const bool is_first = omp::tell_by_entries(copy->calls);
    copy->is_heard = omp::who_acts(omp::Source::kGomp, {.is_by_entries = is_first}).acts;
  }
}

void look_for_runtime() {
  if (dlsym(RTLD_DEFAULT, kLlvmFork) == nullptr) {
    find_runtime(nullptr);
  }
}

// Asks the loader before there are threads. Later a thread in a constructor's region may have the
// loader's lock and wait for a worker. A worker that then asks the loader would wait for ever.
__attribute__((constructor)) void begin() {
  look_for_runtime();
  static constinit observe::Observer when_armed{look_for_runtime};
  observe::add(when_armed);
  static constinit interpose::Closing when_closed{forget_unloaded};
  interpose::add(when_closed);
  // A later call would be unsafe, because other threads may fork.
  hear_llvm();
  // The program must not see an error of our own searches in dlerror().
  dlerror();
}

}  // namespace

const Runtime* runtime_with(const omp::Calls& calls) {
  for (const auto& [copy, is_ready] : g_copies.places) {
    if (is_ready.load(std::memory_order_acquire) && &copy.calls == &calls) {
      return &copy;
    }
  }
  return nullptr;
}

const Runtime* find_runtime_of(const void* code) {
  if (const Runtime* known = known_runtime_of(reinterpret_cast<uintptr_t>(code))) {
    return known;
  }
  if (const Runtime* global = global_runtime()) {
    return global;
  }
  const Runtime* runtime = find_runtime(code);
  if (runtime != nullptr && runtime != global_runtime()) {
    remember_module(code, runtime);
  }
  return runtime;
}

constinit interpose::KnownModules g_modules;

void remember_module(const void* code, const Runtime* runtime) {
  const process::Uncancelled uncancelled;
  g_modules.remember(code, runtime);
}

void forget_unloaded() { g_modules.forget_unloaded(); }

}  // namespace nestbind::gomp
