// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nestbind::ompt {

// Called before a runtime reads its variables. Hides OMP_DISPLAY_AFFINITY if we can reach the
// runtime's functions. We then print the lines ourselves. caller: an address in the runtime.
void hide_display(const void* caller);

// Called after the runtime has read its variables. Returns false if the variable was not hidden.
bool show_display_again();

}  // namespace nestbind::ompt
