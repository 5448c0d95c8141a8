// SPDX-License-Identifier: BSD-3-Clause
// Finds and changes a module's imported functions, in the module's own tables. dl_iterate_phdr does
// not take the lock that a thread holds in a constructor. So a worker may call these functions even
// if a constructor waits for this worker.
#pragma once

#include "interpose/module.hpp"

namespace nestbind::interpose {

// Returns an imported function whose name has this prefix. `inside` is an address in the importing
// module. Returns null if the loader has bound no such function. Never returns our hook.
const void* bound_function(const void* inside, const char* prefix);

// Finds an exported function of one module. `inside` is an address in this module. May return null.
void* defined_function(const void* inside, const char* name);

// `inside` is an address in the importing module.
bool redirect(const void* inside, const char* name, void* to);

// Hides our exports that `is_meant` accepts, so that the loader no longer finds them.
void hide_exports(bool (*is_meant)(const char* name));

// Undoes hide_exports(). Returns false if there was nothing to undo.
bool show_exports();

// Finds out what loaded modules import.
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
