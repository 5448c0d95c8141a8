// SPDX-License-Identifier: BSD-3-Clause
// The functions of OpenMP runtimes that we stand before are in the process of a program that has no
// runtime, too, and programs look for one by such names. So nobody finds them where there is
// neither a runtime nor a specification.
#pragma once

namespace nestbind::placement {

// When the process starts, without a specification.
void hide_runtime_names();

// Something is specified. What has been loaded meanwhile is not heard of, which is said.
void show_runtime_names();

}  // namespace nestbind::placement
