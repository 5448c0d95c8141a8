// SPDX-License-Identifier: BSD-3-Clause
// Whether anything was ever specified in this process. Only the code at the start writes this.
#pragma once

#include <atomic>

namespace nestbind::process {

// True until our constructor has looked: another library's constructor may fork earlier.
inline constinit std::atomic<bool> g_armed{true};

// If false, hooks only call the next function.
inline bool armed() { return g_armed.load(std::memory_order_relaxed); }

}  // namespace nestbind::process
