// SPDX-License-Identifier: BSD-3-Clause
// NESTBIND_REPORT: who runs where, as the kernel tells; each distinct team once.
#pragma once

#include "observe/observer.hpp"

namespace nestbind::observe {

extern Observer g_report;

}  // namespace nestbind::observe
