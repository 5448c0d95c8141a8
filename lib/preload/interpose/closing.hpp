// SPDX-License-Identifier: BSD-3-Clause
// Who keeps something of modules that may be unloaded: a function for each, called when one has
// been closed, and one before.
#pragma once

namespace nestbind::interpose {

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
