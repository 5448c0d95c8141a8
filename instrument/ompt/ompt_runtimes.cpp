// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/ompt/ompt_runtimes.hpp"

#include <dlfcn.h>

#include "interpose/module.hpp"
#include "process/message.hpp"

namespace nestbind::ompt {

constinit std::array<Runtime, kMaxRuntimes> g_runtimes{};

bool find_omp_calls(Lookup lookup, omp::Calls& calls) {
  // A tool before us may have replaced `lookup`. Such a tool does not replace ompt_get_unique_id.
  for (const Function inside : {lookup("ompt_get_unique_id"), reinterpret_cast<Function>(lookup)}) {
    const auto* address = reinterpret_cast<const void*>(inside);
    // The handle is never closed, so the functions stay loaded.
    void* module = address == nullptr ? nullptr : interpose::open_module(address);
    if (module != nullptr &&
        omp::find_calls(calls, [&](const char* name) { return dlsym(module, name); })) {
      return true;
    }
  }
  return false;
}

void warn_if_refused(Event event, int result) {
  static constinit std::atomic<bool> told{false};
  if (result <= kSetImpossible) {
    process::warn_once(told,
                       "an OpenMP runtime does not report event %d to tools (ompt_set_callback "
                       "returns %d), so its teams are not bound",
                       event, result);
  }
}

}  // namespace nestbind::ompt
