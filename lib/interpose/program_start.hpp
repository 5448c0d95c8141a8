// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nestbind::interpose {

// Calls a function when the libraries are initialised that the program starts with, on the initial
// thread and before any code of the program's own: for a library that was initialised before one
// that it stands before. Never, where the program runs already. Functions are called in order;
// those beyond the fourth are not.
void at_program_start(void (*function)());

}  // namespace nestbind::interpose
