// SPDX-License-Identifier: BSD-3-Clause
// The module (a library, or the program) that an address is in. Asking the loader takes its lock,
// so who needs the answer on a fork asks early and keeps it: a worker that waited for the lock,
// held by a thread that waits for the worker in a constructor's region, would wait for ever.
#pragma once

#include <stdint.h>

// The linker's names for its ends.
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

// Its addresses; empty where there is none.
ModuleRange module_range(uintptr_t inside);

// Its file; empty of the program itself, null where there is none.
const char* module_name(const void* inside);

// The same without its folder.
const char* module_file(const void* inside);

// A handle of it, as dlopen gives with these flags besides RTLD_NOLOAD; null where there is none.
void* open_module(const void* inside, int flags = 0);

// The C library's dlclose, which one of ours stands before.
int close_module(void* handle);

// The module that this code is in, without asking the loader.
inline bool is_ours(const void* address) {
  const ModuleRange own{reinterpret_cast<uintptr_t>(__ehdr_start),
                        reinterpret_cast<uintptr_t>(_end)};
  return own.has(reinterpret_cast<uintptr_t>(address));
}

}  // namespace nestbind::interpose
