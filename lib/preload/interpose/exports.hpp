// SPDX-License-Identifier: BSD-3-Clause
// What this library exports, as who asks the loader finds it. What has been bound to stays bound.
#pragma once

namespace nestbind::interpose {

// From now on nobody finds the functions with such names: they are marked as hidden in the
// library's own table of symbols, in this process. Where that cannot be, all stays as it is.
void hide_exports(bool (*is_meant)(const char* name));

// Takes that back. Returns whether there was something to take back.
bool show_exports();

}  // namespace nestbind::interpose
