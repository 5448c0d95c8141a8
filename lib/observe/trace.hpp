// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "observe/observer.hpp"

namespace nestbind::observe {

// Writes forks, placed teams and members that leave into the trace (process/trace.hpp).
extern Observer g_trace;

}  // namespace nestbind::observe
