// SPDX-License-Identifier: BSD-3-Clause
// Our hooks have the names of functions of OpenMP runtimes. Programs may search for a runtime by
// such a name. So the hooks are hidden if there is no runtime and no specification.
#pragma once

namespace nestbind::placement {

// Called when the process starts without a specification.
void hide_runtime_names();

// Called when there is a specification. Warns if libraries that were loaded earlier have unbound
// teams.
void show_runtime_names();

}  // namespace nestbind::placement
