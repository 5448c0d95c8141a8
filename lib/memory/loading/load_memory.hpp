// SPDX-License-Identifier: BSD-3-Clause
// Finds libnestbind-memory.so beside the planner, and loads it hidden from the program.
#pragma once

#include "memory/module/memory_border.hpp"

namespace nestbind::memory {

// The library's functions; null if it cannot be loaded, which is reported once, with the reason.
// The first call loads it, under the loader's lock. So do not call it in a signal handler, or under
// a lock that a thread may wait for while it holds the loader's lock. Keeps errno.
const MemoryApi* load();

// The result of load(); null if it was not called. Loads nothing.
const MemoryApi* loaded();

// Called after the settings are read. Takes orders of the command that watches this process
// (NESTBIND_MEMORY). Warns if a user has set the variable without that command: it has no effect.
void look_at_variable();

}  // namespace nestbind::memory
