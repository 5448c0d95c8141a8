// SPDX-License-Identifier: BSD-3-Clause
// A table of facts about modules, found by an address in the module.
#pragma once

#include <stdint.h>

#include <atomic>

namespace nestbind::interpose {

// Constant-initialised, never destroyed.
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
