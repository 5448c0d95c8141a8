// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/expected_runtime.hpp"

#include <dlfcn.h>
#include <errno.h>

#include "options/settings.hpp"
#include "runtime/message.hpp"

namespace nestbind::runtime {

namespace {

constinit std::atomic<bool> g_told{false};
constinit std::atomic<const OmpCalls*> g_by_entries{nullptr};

// LLVM's and Intel's runtimes are told by what they have, since their names may be libgomp's.
bool is_llvm(const char* file) {
  void* library = dlopen(file, RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) {
    return dlsym(RTLD_DEFAULT, "__kmpc_fork_call") != nullptr;
  }
  const bool is_it = dlsym(library, "__kmpc_fork_call") != nullptr;
  dlclose(library);
  return is_it;
}

}  // namespace

void check_runtime(const OmpCalls& omp) {
  Dl_info info;
  if (!options::settings().wants_llvm || g_told.load(std::memory_order_relaxed) ||
      dladdr(reinterpret_cast<void*>(omp.get_thread_num), &info) == 0 || is_llvm(info.dli_fname) ||
      g_told.exchange(true)) {
    return;
  }
  say(Severity::kWarning,
      "LLVM's runtime was asked for (nestbind run --runtime=llvm), but %s runs on GCC's, %s",
      program_invocation_name, info.dli_fname);
}

bool llvm_is_wanted() { return options::settings().wants_llvm; }

bool tell_by_entries(const OmpCalls& omp) {
  if (known_runtime(&omp) != &omp) {
    return false;
  }
  g_by_entries.store(&omp, std::memory_order_release);
  return true;
}

const OmpCalls* told_by_entries(const OmpCalls& omp) {
  const OmpCalls* told = g_by_entries.load(std::memory_order_acquire);
  return told != nullptr && told->get_thread_num == omp.get_thread_num ? told : nullptr;
}

}  // namespace nestbind::runtime
