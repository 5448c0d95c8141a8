// SPDX-License-Identifier: BSD-3-Clause
// Remembers the runtime of each module. remember_module() and forget_unloaded() ask the loader, and
// so may wait for its lock. The other functions take no lock, because each fork calls them.
#pragma once

#include <stdint.h>

#include "interpose/known_modules.hpp"

namespace nestbind::gomp {

struct Runtime;

// Only remember_module and forget_unloaded write this variable.
extern interpose::KnownModules g_modules;

inline const Runtime* known_runtime_of(uintptr_t address) {
  return static_cast<const Runtime*>(g_modules.find(address));
}

inline bool some_modules_are_known() { return g_modules.had_some(); }

// Remembers the runtime until the module of `code` is unloaded. Does nothing if there is no room.
void remember_module(const void* code, const Runtime* runtime);

// Forgets unloaded modules, because other modules may get their addresses.
void forget_unloaded();

}  // namespace nestbind::gomp
