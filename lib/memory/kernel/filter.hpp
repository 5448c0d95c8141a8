// SPDX-License-Identifier: BSD-3-Clause
// Filters of system calls (seccomp) that end the process for a call, in place of refusing it. A
// process that is only watched must not die of that, so such calls are tried by a child first.
#pragma once

#include <span>

namespace nestbind::memory::kernel {

// Whether a filter of this process may end it for one of some system calls. Without a filter it
// does not, and nothing is tried. With one, a child makes them that the process does not notice
// (no exit signal, nothing for wait()); where no child can be made, the answer is yes.
//
// calls: their numbers, of calls that change nothing where all arguments are 0.
bool may_end_process(std::span<const long> calls);

}  // namespace nestbind::memory::kernel
