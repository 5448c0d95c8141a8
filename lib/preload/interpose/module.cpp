// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/module.hpp"

#include <stddef.h>
#include <string.h>

#include "interpose/dynamic.hpp"
#include "interpose/next_function.hpp"
#include "support/errno_kept.hpp"
#include "support/glibc.hpp"

namespace nestbind::interpose {

namespace {

struct ModuleSearch {
  uintptr_t inside;
  ModuleRange found;
};

int measure(dl_phdr_info* info, size_t, void* memory) {
  auto* search = static_cast<ModuleSearch*>(memory);
  const ModuleRange range = range_of(*info);
  if (!range.has(search->inside)) {
    return 0;
  }
  search->found = range;
  return 1;
}

// The state of an entry, in the low bits of its version. A version only grows.
enum State : unsigned { kFree, kWritten, kKept, kStates = 4 };
constexpr bool is_free(unsigned version) { return version % kStates == kFree; }
constexpr bool is_kept(unsigned version) { return version % kStates == kKept; }

constinit Closing* g_first = nullptr;

}  // namespace

ModuleRange module_range(uintptr_t inside) {
  ModuleSearch search{inside, {}};
  dl_iterate_phdr(measure, &search);
  return search.found;
}

const char* module_name(const void* inside) {
  Dl_info info;
  link_map* map = nullptr;
  return !support::is_glibc() ||
                 dladdr1(inside, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0 ||
                 map == nullptr
             ? nullptr
             : map->l_name;
}

const char* module_file(const void* inside) {
  const char* name = module_name(inside);
  const char* slash = name == nullptr ? nullptr : strrchr(name, '/');
  return slash == nullptr ? name : slash + 1;
}

void* open_module(const void* inside, int flags) {
  const char* name = module_name(inside);
  return name == nullptr
             ? nullptr
             : dlopen(name[0] == '\0' ? nullptr : name, RTLD_LAZY | RTLD_NOLOAD | flags);
}

int close_module(void* handle) { return NESTBIND_NEXT(dlclose)(handle); }

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
