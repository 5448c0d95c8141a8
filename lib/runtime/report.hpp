// SPDX-License-Identifier: BSD-3-Clause
// NESTBIND_REPORT: who runs where, as the kernel tells; each distinct team once.
#pragma once

#include "runtime/thread.hpp"

namespace nestbind::runtime {

// On a member that has just been bound: remembers where it is, and prints the team when all its
// members have been here.
void report(const Place& place, const Team& team);

}  // namespace nestbind::runtime
