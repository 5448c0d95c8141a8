// SPDX-License-Identifier: BSD-3-Clause
// Filters of system calls (seccomp) that end the process for a call, in place of refusing it. A
// process that is only watched must not die of that, so such calls are tried by a child first.
#pragma once

namespace nestbind::memory::kernel {

// Whether a filter of this process may end it for a call that `attempt` makes. Without a filter it
// does not, and nothing is tried. With one, `attempt` is run by a child that the process does not
// notice (no exit signal, nothing for wait()); where no child can be made, the answer is yes.
//
// attempt: calls the kernel only, by support::kernel_answer, with arguments that change nothing.
bool may_end_process(void (*attempt)());

}  // namespace nestbind::memory::kernel
