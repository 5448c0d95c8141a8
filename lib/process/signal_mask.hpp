// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <signal.h>

#include <cstddef>

#include "support/system_call.hpp"

namespace nestbind::process {

// The kernel's own call: the C library's is one that we stand before, to notice what the program
// changes.
inline void change_signal_mask(int how, const sigset_t* set, sigset_t* old) {
  constexpr std::size_t kKernelBytes = 8;  // of a set of signals
  support::system_call(SYS_rt_sigprocmask, how, set, old, kKernelBytes);
}

}  // namespace nestbind::process
