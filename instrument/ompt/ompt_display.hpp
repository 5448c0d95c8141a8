// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nestbind::ompt {

// A runtime, with this address in it, is about to read its variables: it does not find
// OMP_DISPLAY_AFFINITY as it was set, where we hear of its threads and can print what that asks
// for.
void hide_display(const void* caller);

// It has read them: the variable is as before. Returns whether it was hidden.
bool show_display_again();

}  // namespace nestbind::ompt
