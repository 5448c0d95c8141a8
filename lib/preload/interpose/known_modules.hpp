// SPDX-License-Identifier: BSD-3-Clause
// Modules of which something is known, by their addresses: the loader is asked once for each, by
// the thread that is there first. None is kept loaded for that.
#pragma once

#include <stdint.h>

#include <atomic>

namespace nestbind::interpose {

// A table of fixed size. Constant-initialised, never torn down.
class KnownModules {
 public:
  constexpr KnownModules() = default;

  // What is known of the module with this address. Takes no lock. Null: nothing.
  const void* find(uintptr_t address) const;

  // Whether any module is in it, or has been.
  bool had_some() const { return used_.load(std::memory_order_acquire) > 0; }

  // Of the module that some code is in, as long as that is loaded. Where there is no room, nothing
  // is kept. Asks the loader; keeps errno. known: not null.
  void remember(const void* code, const void* known);

  // Forgets modules that are not loaded any more: others may come to their addresses. Asks the
  // loader, where one is known at all; keeps errno. For who watches modules close.
  void forget_unloaded();

 private:
  // One module. What it says is whole as long as the version is the same, and says that it is kept:
  // a reader looks at that before and behind.
  class Entry {
   public:
    // False where it is another's.
    bool keep(uintptr_t begin, uintptr_t end, const void* known);
    // Null where the address is not in it.
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
  std::atomic<int> used_{0};  // those behind were never kept
};

// Who keeps something of modules that may be unloaded: a function for each, called when one has
// been closed, and one before.
struct Closing {
  void (*closed)() = nullptr;  // on the thread that has closed it; also beside other threads' forks
  void (*closes)() = nullptr;  // on the thread that is about to close one; null: nothing to do
  Closing* next = nullptr;     // written here
};

// It stays. For start-up, not thread-safe.
void add(Closing& closing);

// Written by who stands before dlclose.
void tell_closes();
void tell_closed();

}  // namespace nestbind::interpose
