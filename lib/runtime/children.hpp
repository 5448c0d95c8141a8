// SPDX-License-Identifier: BSD-3-Clause
// Threads and processes that a bound thread creates begin with the process's mask, whichever way
// they are started, unless somebody gave them another on purpose. children_*.cpp stand before the C
// library's functions that create them; a program whose threads are not bound passes straight
// through.
#pragma once

namespace nestbind::runtime {

// Registers what fork needs. Called once, when something is specified.
void keep_children_free();

}  // namespace nestbind::runtime
