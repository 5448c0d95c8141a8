// SPDX-License-Identifier: BSD-3-Clause
// This library has functions with the names of OpenMP runtimes' functions. Programs may search for
// a runtime by such a name. So they are hidden if there is no runtime and no specification.
#pragma once

namespace nestbind::placement {

// Called when the process starts without a specification.
void hide_runtime_names();

// Called when something is specified. Warns if libraries loaded before that are not followed.
void show_runtime_names();

}  // namespace nestbind::placement
