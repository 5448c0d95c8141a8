// SPDX-License-Identifier: BSD-3-Clause
#include "process/family.hpp"

#include <atomic>

namespace nestbind::process {

namespace {

constinit std::atomic<bool> g_has_child{false};

}  // namespace

void note_child() { g_has_child.store(true, std::memory_order_relaxed); }
bool has_child() { return g_has_child.load(std::memory_order_relaxed); }

}  // namespace nestbind::process
