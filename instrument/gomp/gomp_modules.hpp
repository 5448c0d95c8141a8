// SPDX-License-Identifier: BSD-3-Clause
// Modules whose copy of the runtime is known, by their addresses: the loader is asked once for
// each, by the thread that forks first from it. None is kept loaded for that.
#pragma once

#include <stdint.h>

#include "interpose/known_modules.hpp"

namespace nestbind::gomp {

struct Runtime;

// Written by remember_module and forget_unloaded alone.
extern interpose::KnownModules g_modules;

// Takes no lock, for the fork. Null: not known.
inline const Runtime* known_runtime_of(uintptr_t address) {
  return static_cast<const Runtime*>(g_modules.find(address));
}

// Whether any module is known, or has been.
inline bool some_modules_are_known() { return g_modules.had_some(); }

// Of the module that some code is in, as long as that is loaded. Where there is no room, nothing is
// kept. Asks the loader.
void remember_module(const void* code, const Runtime* runtime);

// Forgets modules that are not loaded any more: others may come to their addresses. Asks the
// loader, where one is known at all.
void forget_unloaded();

}  // namespace nestbind::gomp
