// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/gomp/gomp_modules.hpp"

#include "process/undisturbed.hpp"

namespace nestbind::gomp {

constinit interpose::KnownModules g_modules;

void remember_module(const void* code, const Runtime* runtime) {
  const process::Uncancelled uncancelled;
  g_modules.remember(code, runtime);
}

void forget_unloaded() { g_modules.forget_unloaded(); }

}  // namespace nestbind::gomp
