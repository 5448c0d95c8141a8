// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/gomp/known_modules.hpp"

#include "interpose/known_modules.hpp"
#include "process/undisturbed.hpp"

namespace nestbind::gomp {

namespace {

constinit interpose::KnownModules g_modules;

}  // namespace

const Runtime* known_runtime_of(uintptr_t address) {
  return static_cast<const Runtime*>(g_modules.find(address));
}

bool some_modules_are_known() { return g_modules.had_some(); }

void remember_module(const void* code, const Runtime* runtime) {
  const process::Uncancelled uncancelled;
  g_modules.remember(code, runtime);
}

void forget_unloaded() { g_modules.forget_unloaded(); }

}  // namespace nestbind::gomp
