// SPDX-License-Identifier: BSD-3-Clause
// Which loaded module imports which functions and libraries.
#pragma once

#include "interpose/module.hpp"

namespace nestbind::interpose {

// Whether a module (except `but`, `nor`) imports a name with this prefix. Takes the loader's lock.
bool is_imported(const char* prefix, const ModuleRange& but = {}, const ModuleRange& nor = {});

// Whether the program itself imports the function with exactly this name.
bool is_imported_by_program(const char* name);

// is_defined_elsewhere() returns whether a module other than ours exports this function.
// is_needed() returns whether a module was linked with this library ("libx.so", without a version).
// Unlike dlsym, both functions leave no message for dlerror.
bool is_defined_elsewhere(const char* name);
bool is_needed(const char* library);

// Whether the program itself contains this function, exported or not. Reads the symbol table of the
// program's file. False if the file is stripped.
bool program_contains(const char* name);

// Whether the program contains this text as a constant. Reads all read-only memory of the program.
bool program_has_text(const char* text);

}  // namespace nestbind::interpose
