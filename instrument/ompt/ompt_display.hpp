// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nestbind::ompt {

// Called before a runtime reads its variables. Hides OMP_DISPLAY_AFFINITY if the runtime can report
// its threads, because then we print the lines. caller: an address in the runtime.
void hide_display(const void* caller);

// Called after the runtime has read its variables. Restores the variable. False: it was not hidden.
bool show_display_again();

}  // namespace nestbind::ompt
