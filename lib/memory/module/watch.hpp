// SPDX-License-Identifier: BSD-3-Clause
// Watching the process's memory, as libnestbind.so asks for it (border.hpp).
#pragma once

#include "memory/module/memory_border.hpp"

namespace nestbind::memory {

// The functions of the border with these names.
int watch(const WatchOptions& options);
char* report();
void forget();

}  // namespace nestbind::memory
