// SPDX-License-Identifier: BSD-3-Clause
// Finds libnestbind-memory.so beside the planner, and loads it hidden from the program.
#pragma once

#include "memory/module/memory_border.hpp"

namespace nestbind::memory {

// Returns the library's functions. Null: the library cannot be loaded, and one message says why.
// The first call loads the library, and takes the loader's lock. So do not call load() in a signal
// handler, or with a lock that a thread with the loader's lock may wait for. Keeps errno.
const MemoryApi* load();

// The result of an earlier call of load(); null: there was none. Loads nothing.
const MemoryApi* loaded();

// Called after the settings are read. Takes orders of the command that watches this process
// (NESTBIND_MEMORY). Without that command, warns that the variable has no effect.
void look_at_variable();

}  // namespace nestbind::memory
