// SPDX-License-Identifier: BSD-3-Clause
// Programs may search for a runtime by the name of a function that we hook. So the hooks are hidden
// if there is no runtime and no specification.
#pragma once

namespace nestbind::placement {

void hide_runtime_names();

// Warns if libraries that were loaded earlier have unbound teams.
void show_runtime_names();

}  // namespace nestbind::placement
