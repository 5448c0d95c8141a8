// SPDX-License-Identifier: BSD-3-Clause
// Finds the runtime of a known module by an address. At a module's first fork we ask the loader.
#pragma once

#include <stdint.h>

#include "interpose/known_modules.hpp"

namespace nestbind::gomp {

struct Runtime;

// Only remember_module and forget_unloaded write this variable.
extern interpose::KnownModules g_modules;

// Takes no lock, because each fork calls this function.
inline const Runtime* known_runtime_of(uintptr_t address) {
  return static_cast<const Runtime*>(g_modules.find(address));
}

inline bool some_modules_are_known() { return g_modules.had_some(); }

// Remembers the runtime of the module that contains `code`, until the module is unloaded.
void remember_module(const void* code, const Runtime* runtime);

// Forgets unloaded modules: other modules may get their addresses. Asks the loader, unless no
// module is known.
void forget_unloaded();

}  // namespace nestbind::gomp
