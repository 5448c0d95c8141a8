// SPDX-License-Identifier: BSD-3-Clause
// NESTBIND_REPORT: who runs where, as the kernel tells. Each distinct team once; all that are new,
// outer ones before their inner ones, when the outermost region ends, at a fork once none has come
// for a second, at the end of the process, and at its abort.
#pragma once

#include "observe/observer.hpp"

namespace nestbind::observe {

extern Observer g_report;

}  // namespace nestbind::observe
