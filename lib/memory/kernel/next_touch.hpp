// SPDX-License-Identifier: BSD-3-Clause
// The ranges that wait for their next touch, and the process's handler of SIGSEGV. What is no fault
// of ours is handed on to the handler that was there before, as the kernel would have called it.
#pragma once

#include "memory/kernel/pages.hpp"

namespace nestbind::memory::kernel {

enum class Touched { kOk, kNotMapped, kNotSuitable, kNotPermitted, kNoMemory };

// range: whole pages. The first call sets the handler; where somebody has set another since, it is
// not permitted. Throws std::bad_alloc only.
Touched let_next_touch(const Range& range);

// All ranges that have a page of this one end.
void end_next_touch(const Range& range);

}  // namespace nestbind::memory::kernel
