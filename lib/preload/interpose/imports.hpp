// SPDX-License-Identifier: BSD-3-Clause
// Who calls what: the functions and libraries that loaded modules have from each other.
#pragma once

#include "interpose/module.hpp"

namespace nestbind::interpose {

// Whether a loaded module, other than these two, has a relocation for a function of another module
// whose name begins so. Takes the loader's lock.
bool is_imported(const char* prefix, const ModuleRange& but = {}, const ModuleRange& nor = {});

// The same of the program itself, and the whole name.
bool is_imported_by_program(const char* name);

// Whether a module other than ours has a function of this name for others, or was linked with the
// library of this name ("libx.so", without a version). Unlike dlsym they leave no error behind.
bool is_defined_elsewhere(const char* name);
bool is_needed(const char* library);

// Whether the program itself has a function, be it for nobody else: as the link editor's table in
// its file tells. False where that was stripped. Reads the file.
bool program_contains(const char* name);

// Whether it has this text, as a constant of its own. Reads all that is read-only of it.
bool program_has_text(const char* text);

}  // namespace nestbind::interpose
