// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/runtimes.hpp"

#include <sys/auxv.h>

#include "interpose/module_range.hpp"

namespace nestbind::runtime {

namespace {

constexpr int kMaxRuntimes = 8;

constinit std::atomic<const OmpCalls*> g_started[kMaxRuntimes]{};
constinit std::atomic<uintptr_t> g_code_begin[kMaxRuntimes]{};
constinit std::atomic<uintptr_t> g_code_end[kMaxRuntimes]{};

}  // namespace

void note_started(const OmpCalls& omp) {
  const ModuleRange range = module_range(reinterpret_cast<uintptr_t>(omp.get_level));
  for (int i = 0; i < kMaxRuntimes; ++i) {
    const OmpCalls* none = nullptr;
    if (g_started[i].compare_exchange_strong(none, &omp) || none == &omp) {
      const bool is_program = range.has(getauxval(AT_ENTRY));
      g_code_begin[i].store(range.begin, std::memory_order_relaxed);
      g_code_end[i].store(is_program ? 0 : range.end, std::memory_order_release);
      break;
    }
  }
}

const OmpCalls* started_runtime(int index) {
  return index < kMaxRuntimes ? g_started[index].load(std::memory_order_acquire) : nullptr;
}

bool is_in_runtime(uintptr_t code) {
  for (int i = 0; started_runtime(i) != nullptr; ++i) {
    if (code < g_code_end[i].load(std::memory_order_acquire) &&
        code >= g_code_begin[i].load(std::memory_order_relaxed)) {
      return true;
    }
  }
  return false;
}

const OmpCalls* known_runtime(const OmpCalls* omp) {
  for (int i = 0; const OmpCalls* started = started_runtime(i); ++i) {
    if (started->get_thread_num == omp->get_thread_num) {
      return started;
    }
  }
  return omp;
}

}  // namespace nestbind::runtime
