// SPDX-License-Identifier: BSD-3-Clause
// This library has functions with the names of the OpenMP runtimes' functions. Programs may search
// for a runtime by such a name. So the names are hidden if there is neither a runtime nor a
// specification.
#pragma once

namespace nestbind::placement {

// Called when the process starts without a specification.
void hide_runtime_names();

// Called when something is specified. Warns if libraries loaded before that are not followed.
void show_runtime_names();

}  // namespace nestbind::placement
