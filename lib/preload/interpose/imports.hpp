// SPDX-License-Identifier: BSD-3-Clause
// Finds out what loaded modules import.
#pragma once

#include "interpose/module.hpp"

namespace nestbind::interpose {

// Takes the loader's lock.
bool is_imported(const char* prefix, const ModuleRange& but = {}, const ModuleRange& nor = {});

bool is_imported_by_program(const char* name);

// These functions leave no message for dlerror. `library` has no version, for example "libx.so".
bool is_defined_elsewhere(const char* name);
bool is_needed(const char* library);

// True even if the program does not export the function. False if the program is stripped.
bool program_contains(const char* name);

bool program_has_text(const char* text);

}  // namespace nestbind::interpose
