// SPDX-License-Identifier: BSD-3-Clause
// Each known module's runtime, by addresses. The first thread that forks from it asks the loader.
#pragma once

#include <stdint.h>

#include "interpose/known_modules.hpp"

namespace nestbind::gomp {

struct Runtime;

// Only remember_module and forget_unloaded write it.
extern interpose::KnownModules g_modules;

// Takes no lock, since it is called at forks. Null: not known.
inline const Runtime* known_runtime_of(uintptr_t address) {
  return static_cast<const Runtime*>(g_modules.find(address));
}

// Whether any module is, or ever was, known.
inline bool some_modules_are_known() { return g_modules.had_some(); }

// Keeps the runtime of the module that contains `code`, until the module is unloaded. Keeps nothing
// if there is no room. Asks the loader.
void remember_module(const void* code, const Runtime* runtime);

// Removes unloaded modules: others may get their addresses. Asks the loader if any is known.
void forget_unloaded();

}  // namespace nestbind::gomp
