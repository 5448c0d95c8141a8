// SPDX-License-Identifier: BSD-3-Clause
// Loads libnestbind-memory.so from the planner's folder, without making its symbols global.
#pragma once

#include "memory/module/memory_border.hpp"

namespace nestbind::memory {

// Returns the library's functions, or null after one message with the reason. Keeps errno. The
// first call takes the loader's lock, so do not call load() in a signal handler. A thread that has
// the loader's lock must not wait for a lock of the caller.
const MemoryApi* load();

const MemoryApi* loaded();

// Takes the command's orders if NESTBIND_MEMORY names a file of orders. Warns of other values.
void look_at_variable();

}  // namespace nestbind::memory
