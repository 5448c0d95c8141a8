// SPDX-License-Identifier: BSD-3-Clause
// The end of the process by abort(): what waits to be reported is.
#pragma once

namespace nestbind::observe {

// Asks the loader for what follows. Called before, where nobody waits for the thread.
void prepare_for_abort();

// From now on SIGABRT comes to us first, and then to where it would have gone; where the program
// ignores it, it still does. Only the first call does anything. A handler that the program sets
// later takes our place.
void watch_abort();

}  // namespace nestbind::observe
