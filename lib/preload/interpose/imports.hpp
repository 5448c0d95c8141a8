// SPDX-License-Identifier: BSD-3-Clause
// Which loaded module imports which functions and libraries.
#pragma once

#include "interpose/module.hpp"

namespace nestbind::interpose {

// Whether a module other than `but` and `nor` imports a name with this prefix. Takes the loader's
// lock.
bool is_imported(const char* prefix, const ModuleRange& but = {}, const ModuleRange& nor = {});

bool is_imported_by_program(const char* name);

// `library` has no version ("libx.so"). Unlike dlsym, these functions leave no message for dlerror.
bool is_defined_elsewhere(const char* name);
bool is_needed(const char* library);

// Whether the program itself contains this function, exported or not.
bool program_contains(const char* name);

// Whether the program contains this text as a constant.
bool program_has_text(const char* text);

}  // namespace nestbind::interpose
