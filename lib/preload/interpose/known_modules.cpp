// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/known_modules.hpp"

#include "interpose/module.hpp"
#include "support/errno_kept.hpp"

namespace nestbind::interpose {

namespace {

// The state of an entry, in the low bits of its version. A version only grows.
enum State : unsigned { kFree, kWritten, kKept, kStates = 4 };
constexpr bool is_free(unsigned version) { return version % kStates == kFree; }
constexpr bool is_kept(unsigned version) { return version % kStates == kKept; }

}  // namespace

bool KnownModules::Entry::keep(uintptr_t begin, uintptr_t end, const void* known) {
  unsigned version = version_.load(std::memory_order_relaxed);
  if (!is_free(version) || !version_.compare_exchange_strong(version, version + kWritten)) {
    return false;
  }
  std::atomic_thread_fence(std::memory_order_release);
  begin_.store(begin, std::memory_order_relaxed);
  end_.store(end, std::memory_order_relaxed);
  known_.store(known, std::memory_order_relaxed);
  version_.store(version + kKept, std::memory_order_release);
  return true;
}

const void* KnownModules::Entry::find(uintptr_t address) const {
  const unsigned version = version_.load(std::memory_order_acquire);
  const ModuleRange range{begin_.load(std::memory_order_relaxed),
                          end_.load(std::memory_order_relaxed)};
  const void* known = known_.load(std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_acquire);
  return is_kept(version) && range.has(address) &&
                 version_.load(std::memory_order_relaxed) == version
             ? known
             : nullptr;
}

void KnownModules::Entry::forget_if_unloaded() {
  unsigned version = version_.load(std::memory_order_acquire);
  const uintptr_t begin = begin_.load(std::memory_order_relaxed);
  const uintptr_t end = end_.load(std::memory_order_relaxed);
  if (!is_kept(version)) {
    return;
  }
  const ModuleRange now = module_range(begin);
  if (now.begin != begin || now.end != end) {
    version_.compare_exchange_strong(version, version + kStates - kKept);
  }
}

const void* KnownModules::find(uintptr_t address) const {
  const int used = used_.load(std::memory_order_acquire);
  for (int i = 0; i < used; ++i) {
    if (const void* known = entries_[i].find(address)) {
      return known;
    }
  }
  return nullptr;
}

void KnownModules::remember(const void* code, const void* known) {
  const support::ErrnoKept errno_kept;
  const ModuleRange range = module_range(reinterpret_cast<uintptr_t>(code));
  for (int i = 0; i < kMost; ++i) {
    if (entries_[i].keep(range.begin, range.end, known)) {
      int used = used_.load(std::memory_order_relaxed);
      while (used <= i && !used_.compare_exchange_weak(used, i + 1)) {
      }
      return;
    }
  }
}

void KnownModules::forget_unloaded() {
  const support::ErrnoKept errno_kept;
  const int used = used_.load(std::memory_order_acquire);
  for (int i = 0; i < used; ++i) {
    entries_[i].forget_if_unloaded();
  }
}

namespace {
constinit Closing* g_first = nullptr;
}  // namespace

void add(Closing& closing) {
  closing.next = g_first;
  g_first = &closing;
}

void tell_closes() {
  for (const Closing* closing = g_first; closing != nullptr; closing = closing->next) {
    if (closing->closes != nullptr) {
      closing->closes();
    }
  }
}

void tell_closed() {
  for (const Closing* closing = g_first; closing != nullptr; closing = closing->next) {
    closing->closed();
  }
}

}  // namespace nestbind::interpose
