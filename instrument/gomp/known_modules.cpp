// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/gomp/known_modules.hpp"

#include <atomic>

#include "interpose/module.hpp"
#include "process/undisturbed.hpp"
#include "support/errno_kept.hpp"

namespace nestbind::gomp {

namespace {

// One module. What it says is whole as long as the version is the same, and says that it is kept:
// a reader looks at that before and behind.
class Entry {
 public:
  // False where it is another's.
  bool keep(const interpose::ModuleRange& range, const Runtime* runtime) {
    unsigned version = version_.load(std::memory_order_relaxed);
    if (!is_free(version) || !version_.compare_exchange_strong(version, version + kWritten)) {
      return false;
    }
    std::atomic_thread_fence(std::memory_order_release);
    begin_.store(range.begin, std::memory_order_relaxed);
    end_.store(range.end, std::memory_order_relaxed);
    runtime_.store(runtime, std::memory_order_relaxed);
    version_.store(version + kKept, std::memory_order_release);
    return true;
  }

  // Null where the address is not in it.
  const Runtime* runtime_of(uintptr_t address) const {
    const unsigned version = version_.load(std::memory_order_acquire);
    const interpose::ModuleRange range{begin_.load(std::memory_order_relaxed),
                                       end_.load(std::memory_order_relaxed)};
    const Runtime* runtime = runtime_.load(std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_acquire);
    return is_kept(version) && range.has(address) &&
                   version_.load(std::memory_order_relaxed) == version
               ? runtime
               : nullptr;
  }

  void forget_if_unloaded() {
    unsigned version = version_.load(std::memory_order_acquire);
    const uintptr_t begin = begin_.load(std::memory_order_relaxed);
    const uintptr_t end = end_.load(std::memory_order_relaxed);
    if (!is_kept(version)) {
      return;
    }
    const interpose::ModuleRange now = interpose::module_range(begin);
    if (now.begin != begin || now.end != end) {
      version_.compare_exchange_strong(version, version + kStates - kKept);
    }
  }

 private:
  // The version's low bits; it only grows.
  enum State : unsigned { kFree, kWritten, kKept, kStates = 4 };
  static constexpr bool is_free(unsigned version) { return version % kStates == kFree; }
  static constexpr bool is_kept(unsigned version) { return version % kStates == kKept; }

  std::atomic<unsigned> version_{0};
  std::atomic<uintptr_t> begin_{0};
  std::atomic<uintptr_t> end_{0};
  std::atomic<const Runtime*> runtime_{nullptr};
};

constexpr int kMost = 64;
constinit Entry g_entries[kMost];
constinit std::atomic<int> g_used{0};  // those behind were never kept

}  // namespace

const Runtime* known_runtime_of(uintptr_t address) {
  const int used = g_used.load(std::memory_order_acquire);
  for (int i = 0; i < used; ++i) {
    if (const Runtime* runtime = g_entries[i].runtime_of(address)) {
      return runtime;
    }
  }
  return nullptr;
}

bool some_modules_are_known() { return g_used.load(std::memory_order_acquire) > 0; }

void remember_module(const void* code, const Runtime* runtime) {
  const support::ErrnoKept errno_kept;
  const process::Uncancelled uncancelled;
  const interpose::ModuleRange range = interpose::module_range(reinterpret_cast<uintptr_t>(code));
  for (int i = 0; i < kMost; ++i) {
    if (g_entries[i].keep(range, runtime)) {
      int used = g_used.load(std::memory_order_relaxed);
      while (used <= i && !g_used.compare_exchange_weak(used, i + 1)) {
      }
      return;
    }
  }
}

void forget_unloaded() {
  const support::ErrnoKept errno_kept;
  const int used = g_used.load(std::memory_order_acquire);
  for (int i = 0; i < used; ++i) {
    g_entries[i].forget_if_unloaded();
  }
}

}  // namespace nestbind::gomp
