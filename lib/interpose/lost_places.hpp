// SPDX-License-Identifier: BSD-3-Clause
// Functions of ours that nobody calls, for a library that the loader asks first has others of the
// same names: an OpenMP runtime that was linked before us, the C library where only a library of
// the program's is linked with us. What is bound to theirs is bound to ours, as if we had come
// first.
//
// What others have put before these libraries on purpose (the program's own functions, sanitizers,
// tools) stays there: it comes before us also where we are preloaded.
#pragma once

namespace nestbind::interpose {

// Takes all such places: what modules have bound already, and what is bound from now on. Asks the
// loader little where none is lost. Returns whether there were any; the second time does nothing.
bool take_lost_places();
bool has_taken_places();

// The function whose place was taken; null where none of this name was.
void* theirs(const char* name);

// What dlsym finds in a library; not ours that has taken its place.
void* find_in(void* library, const char* name);

}  // namespace nestbind::interpose
