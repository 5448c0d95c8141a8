// SPDX-License-Identifier: BSD-3-Clause
#include "omp/runtimes.hpp"

#include <sys/auxv.h>

#include <atomic>

#include "interpose/module.hpp"

namespace nestbind::omp {

namespace {

constexpr int kMaxRuntimes = 8;

// Entries are filled in order and never removed. The end of the code is written last.
struct Started {
  std::atomic<const Calls*> calls;
  std::atomic<uintptr_t> code_begin;
  std::atomic<uintptr_t> code_end;
};
constinit Started g_started[kMaxRuntimes]{};

constinit StartListener* g_listeners = nullptr;

void tell_started(const Calls& runtime) {
  for (const StartListener* listener = g_listeners; listener != nullptr;
       listener = listener->next) {
    listener->started(runtime);
  }
}

}  // namespace

void note_started(const Calls& runtime) {
  const auto range = interpose::module_range(reinterpret_cast<uintptr_t>(runtime.get_level));
  for (Started& started : g_started) {
    const Calls* none = nullptr;
    if (started.calls.compare_exchange_strong(none, &runtime) || none == &runtime) {
      const bool is_program = range.has(getauxval(AT_ENTRY));
      started.code_begin.store(range.begin, std::memory_order_relaxed);
      started.code_end.store(is_program ? 0 : range.end, std::memory_order_release);
      if (none == nullptr) {
        tell_started(runtime);
      }
      break;
    }
  }
}

void add(StartListener& listener) {
  listener.next = g_listeners;
  g_listeners = &listener;
  for (int i = 0; const Calls* runtime = started(i); ++i) {
    listener.started(*runtime);
  }
}

const Calls* started(int index) {
  return index < kMaxRuntimes ? g_started[index].calls.load(std::memory_order_acquire) : nullptr;
}

const Calls& known(const Calls& runtime) {
  for (int i = 0; const Calls* present = started(i); ++i) {
    if (present->get_thread_num == runtime.get_thread_num) {
      return *present;
    }
  }
  // NOLINTNEXTLINE(bugprone-return-const-ref-from-parameter): Calls records never move
  return runtime;
}

bool is_in_runtime(uintptr_t code) {
  for (int i = 0; started(i) != nullptr; ++i) {
    if (code < g_started[i].code_end.load(std::memory_order_acquire) &&
        code >= g_started[i].code_begin.load(std::memory_order_relaxed)) {
      return true;
    }
  }
  return false;
}

}  // namespace nestbind::omp
