// SPDX-License-Identifier: BSD-3-Clause
// Whether anything was ever specified in this process, and whether it has forked a child.
#pragma once

#include <atomic>

namespace nestbind::process {

// True until nestbind's constructor runs, because another library's constructor may fork earlier.
inline constinit std::atomic<bool> g_armed{true};

// If this is false, hooks only call the function that they replace.
inline bool armed() { return g_armed.load(std::memory_order_relaxed); }

inline constinit std::atomic<bool> g_has_child{false};
inline void note_child() { g_has_child.store(true, std::memory_order_relaxed); }
inline bool has_child() { return g_has_child.load(std::memory_order_relaxed); }

}  // namespace nestbind::process
