// SPDX-License-Identifier: BSD-3-Clause
// Functions that modules have from each other, found in their own tables and words. The loader is
// asked only which modules there are, by dl_iterate_phdr: not under the lock that a thread holds
// while it runs a constructor. So a worker may ask here for which the constructor's region waits.
#pragma once

namespace nestbind::interpose {

// A function whose name begins so, and that the module of an address has bound already: one that is
// not ours. Null where there is none (yet).
const void* bound_function(const void* inside, const char* prefix);

// The function of this name that the module of an address has for others; where ours has taken its
// place (lost_places.hpp), that function still. Null where there is none.
void* defined_function(const void* inside, const char* name);

}  // namespace nestbind::interpose
