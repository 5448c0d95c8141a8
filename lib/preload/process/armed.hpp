// SPDX-License-Identifier: BSD-3-Clause
// Whether anything was ever specified in this process. Written by the start alone.
#pragma once

#include <atomic>

namespace nestbind::process {

// True until somebody has looked: a region in another library's constructor comes before ours.
inline constinit std::atomic<bool> g_armed{true};

// While it is false, an instrument does nothing but hand the call on.
inline bool armed() { return g_armed.load(std::memory_order_relaxed); }

}  // namespace nestbind::process
