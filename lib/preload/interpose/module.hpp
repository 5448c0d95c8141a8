// SPDX-License-Identifier: BSD-3-Clause
// Finds the module (a library, or the program) that contains an address. A call of the loader takes
// the loader's lock. A constructor with a parallel region holds this lock and waits for workers. So
// a worker must never wait for the lock.
#pragma once

#include <stdint.h>

#include <atomic>

// Names that the linker defines for the begin and the end of our module.
// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier)
extern "C" __attribute__((visibility("hidden"))) const char __ehdr_start[];
extern "C" __attribute__((visibility("hidden"))) const char _end[];
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)

namespace nestbind::interpose {

struct ModuleRange {
  uintptr_t begin = 0;
  uintptr_t end = 0;
  bool has(uintptr_t address) const { return begin <= address && address < end; }
};

// The range is empty if no module contains the address.
ModuleRange module_range(uintptr_t inside);

// Returns the module's file: "" for the program itself, null if no module contains the address.
const char* module_name(const void* inside);

const char* module_file(const void* inside);

// Returns a handle from dlopen with RTLD_NOLOAD, or null.
void* open_module(const void* inside, int flags = 0);

int close_module(void* handle);

inline bool is_ours(const void* address) {
  const ModuleRange own{reinterpret_cast<uintptr_t>(__ehdr_start),
                        reinterpret_cast<uintptr_t>(_end)};
  return own.has(reinterpret_cast<uintptr_t>(address));
}

// A table of facts about modules, found by an address in the module. Constant-initialised, never
// destroyed.
class KnownModules {
 public:
  constexpr KnownModules() = default;

  // Returns the fact about the module with this address, or null if there is none. Takes no lock.
  const void* find(uintptr_t address) const;

  bool had_some() const { return used_.load(std::memory_order_acquire) > 0; }

  // Stores a fact about the module that contains `code`. `known` must not be null. Asks the loader.
  // Keeps errno.
  void remember(const void* code, const void* known);

  // Must be called after a module was closed, because a new module may get the same addresses.
  void forget_unloaded();

 private:
  // A reader's copy is valid if the version is kKept before and after copying.
  class Entry {
   public:
    // Returns false if the entry belongs to another module.
    bool keep(uintptr_t begin, uintptr_t end, const void* known);
    const void* find(uintptr_t address) const;
    void forget_if_unloaded();

   private:
    std::atomic<unsigned> version_{0};
    std::atomic<uintptr_t> begin_{0};
    std::atomic<uintptr_t> end_{0};
    std::atomic<const void*> known_{nullptr};
  };

  static constexpr int kMost = 64;
  Entry entries_[kMost];
  std::atomic<int> used_{0};
};

// Callbacks for code that keeps data of modules. `closes` runs before a module closes. `closed`
// runs afterwards, while other threads may fork. Both run on the closing thread.
struct Closing {
  void (*closed)() = nullptr;
  void (*closes)() = nullptr;  // may be null
  Closing* next = nullptr;
};

// `closing` must never be freed. add() is not thread-safe.
void add(Closing& closing);

void tell_closes();
void tell_closed();

}  // namespace nestbind::interpose
