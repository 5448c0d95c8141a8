// SPDX-License-Identifier: BSD-3-Clause
// Finds and changes a module's imported functions, in the module's own tables. The loader is only
// asked for the list of modules: dl_iterate_phdr does not take the lock that a thread holds in a
// constructor. So a worker may call these functions even if a constructor waits for it.
#pragma once

namespace nestbind::interpose {

// Finds a function whose name has this prefix, among the functions to which the loader has already
// bound the module around `inside`. Never returns our hook. Null: there is no such function yet.
const void* bound_function(const void* inside, const char* prefix);

// The function of this name that the module around `inside` exports; null: there is none.
void* defined_function(const void* inside, const char* name);

// From now on the module around `inside` calls `to` instead of the imported function with this
// name. Returns false if the module does not import the function, or the table cannot be written.
bool redirect(const void* inside, const char* name, void* to);

// Hides those of our exports that `is_meant` accepts: the loader no longer finds them. Changes our
// symbol table in this process; does nothing if the table cannot be written.
void hide_exports(bool (*is_meant)(const char* name));

// Undoes hide_exports(). Returns whether there was something to undo.
bool show_exports();

}  // namespace nestbind::interpose
