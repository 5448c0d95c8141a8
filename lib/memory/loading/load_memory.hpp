// SPDX-License-Identifier: BSD-3-Clause
// Loads libnestbind-memory.so from the planner's folder, without making its symbols global.
#pragma once

#include "memory/module/memory_border.hpp"

namespace nestbind::memory {

// Returns the library's functions, or null after one message with the reason. The first call takes
// the loader's lock. So do not call load() in a signal handler, or with a lock that a thread needs
// while it has the loader's lock. Keeps errno.
const MemoryApi* load();

// Returns the result of an earlier call of load(), or null if there was no call. Loads nothing.
const MemoryApi* loaded();

// Reads NESTBIND_MEMORY, after the settings are read. If a command watches this process, maps the
// file with the command's orders. Otherwise warns that the variable has no effect.
void look_at_variable();

}  // namespace nestbind::memory
