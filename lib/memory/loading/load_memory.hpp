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

// Once the settings are read: does what the variable asks for. Returns false, with a message, where
// its value is no wish.
bool advise_from_now();

}  // namespace nestbind::memory
