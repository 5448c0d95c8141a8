// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nestbind::ompt {

// Before a runtime reads its variables (caller: an address in it): hides OMP_DISPLAY_AFFINITY, if
// its threads are reported to us, so that we can print the lines.
void hide_display(const void* caller);

// Called after the runtime has read them: restores the variable. Returns whether it was hidden.
bool show_display_again();

}  // namespace nestbind::ompt
