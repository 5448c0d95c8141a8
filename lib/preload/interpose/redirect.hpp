// SPDX-License-Identifier: BSD-3-Clause
// Finds and changes a module's imported functions, in the module's own tables. dl_iterate_phdr does
// not take the lock that a thread holds in a constructor. So a worker may call these functions even
// if a constructor waits for this worker.
#pragma once

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

}  // namespace nestbind::interpose
