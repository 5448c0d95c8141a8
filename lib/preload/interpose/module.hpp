// SPDX-License-Identifier: BSD-3-Clause
// Finds the module (a library, or the program) that contains an address. A call of the loader takes
// the loader's lock. A constructor with a parallel region holds this lock and waits for workers. So
// a worker must never wait for the lock.
#pragma once

#include <stdint.h>

// Names that the linker defines for the begin and the end of our module.
// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier)
extern "C" __attribute__((visibility("hidden"))) const char __ehdr_start[];
extern "C" __attribute__((visibility("hidden"))) const char _end[];
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)

namespace nestbind::interpose {

struct ModuleRange {
  uintptr_t begin = 0;
  uintptr_t end = 0;
  bool has(uintptr_t address) const { return begin <= address && address < end; }
};

// The range is empty if no module contains the address.
ModuleRange module_range(uintptr_t inside);

// Returns the module's file: "" for the program itself, null if no module contains the address.
const char* module_name(const void* inside);

const char* module_file(const void* inside);

// Returns a handle from dlopen with RTLD_NOLOAD, or null.
void* open_module(const void* inside, int flags = 0);

int close_module(void* handle);

inline bool is_ours(const void* address) {
  const ModuleRange own{reinterpret_cast<uintptr_t>(__ehdr_start),
                        reinterpret_cast<uintptr_t>(_end)};
  return own.has(reinterpret_cast<uintptr_t>(address));
}

}  // namespace nestbind::interpose
