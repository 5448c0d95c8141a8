// SPDX-License-Identifier: BSD-3-Clause
// Finds and loads libnestbind-memory.so, beside this library's planner, out of the program's sight.
#pragma once

#include "memory/module/memory_border.hpp"

namespace nestbind::memory {

// Its functions; null where it cannot be loaded, which is then told once, with the reason. Loads it
// the first time, under the loader's lock: not to be called under one that a thread may wait for
// while it holds the loader's, nor in a signal handler. Keeps errno.
const MemoryApi* load();

// What load() has found; null where it was not called. Loads nothing.
const MemoryApi* loaded();

// Once the settings are read: what NESTBIND_MEMORY says. Orders of the command that watches this
// process are taken; what a user has set without it is told to be of no use.
void look_at_variable();

}  // namespace nestbind::memory
