// SPDX-License-Identifier: BSD-3-Clause
// This library has functions with the names of the OpenMP runtimes' functions. A program may look
// for a runtime by such a name. So they are hidden if there is neither a runtime nor a
// specification.
#pragma once

namespace nestbind::placement {

// When the process starts, without a specification.
void hide_runtime_names();

// Something is specified. What has been loaded meanwhile is not heard of, which is said.
void show_runtime_names();

}  // namespace nestbind::placement
