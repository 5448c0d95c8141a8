// SPDX-License-Identifier: BSD-3-Clause
// Functions that modules have from each other, found and changed in their own tables and words. The
// loader is asked only which modules there are, by dl_iterate_phdr: not under the lock that a
// thread holds while it runs a constructor. So a worker may ask here for which the constructor's
// region waits.
#pragma once

namespace nestbind::interpose {

// A function whose name begins so, and that the module of an address has bound already: one that is
// not ours. Null where there is none (yet).
const void* bound_function(const void* inside, const char* prefix);

// The function of this name that the module of an address has for others. Null where there is none.
void* defined_function(const void* inside, const char* name);

// From now on the module of an address calls `to`, where it calls the function of another module
// with this name. Returns false where it does not, or nobody may change that.
bool redirect(const void* inside, const char* name, void* to);

// From now on nobody finds the functions with such names: they are marked as hidden in the
// library's own table of symbols, in this process. Where that cannot be, all stays as it is.
void hide_exports(bool (*is_meant)(const char* name));

// Takes that back. Returns whether there was something to take back.
bool show_exports();

}  // namespace nestbind::interpose
