// SPDX-License-Identifier: BSD-3-Clause
// Finds and changes a module's imported functions, in the module's own tables. The loader is only
// asked for the list of modules. dl_iterate_phdr does not take the lock that a thread holds in a
// constructor. So a worker may call these functions even if a constructor waits for this worker.
#pragma once

namespace nestbind::interpose {

// Returns a function whose name has this prefix, among the functions to which the loader has
// already bound the module around `inside`. Returns null if there is no such function yet. Never
// returns our hook.
const void* bound_function(const void* inside, const char* prefix);

// Returns the function of this name that the module around `inside` exports, or null.
void* defined_function(const void* inside, const char* name);

// Makes the module around `inside` call `to` instead of the imported function with this name.
// Returns false if the module does not import the function, or the table cannot be written.
bool redirect(const void* inside, const char* name, void* to);

// Hides our exports that `is_meant` accepts, so that the loader no longer finds them. Changes our
// symbol table in this process. Does nothing if the table cannot be written.
void hide_exports(bool (*is_meant)(const char* name));

// Undoes hide_exports(). Returns whether there was something to undo.
bool show_exports();

}  // namespace nestbind::interpose
