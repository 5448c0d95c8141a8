// SPDX-License-Identifier: BSD-3-Clause
// The addresses of a loaded module. Asking the loader takes its lock, so who needs the answer on a
// fork asks early and keeps it: a worker that waited for the lock, held by a thread that waits for
// the worker in a constructor's region, would wait for ever.
#pragma once

#include <stdint.h>

namespace nestbind {

struct ModuleRange {
  uintptr_t begin = 0;
  uintptr_t end = 0;
  bool has(uintptr_t address) const { return begin <= address && address < end; }
};

// Of the module that an address is in; empty where there is none.
ModuleRange module_range(uintptr_t inside);

}  // namespace nestbind
