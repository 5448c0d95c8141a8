// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "omp/calls.hpp"

namespace nestbind::placement {

// On a member in its region, once it is bound: the line that OMP_DISPLAY_AFFINITY asks for, where
// the runtime's own is kept back; by the runtime, so in its form and to where it prints. One that
// would be the same as the thread's last is left out.
void display_self(const omp::Calls& runtime);

}  // namespace nestbind::placement
