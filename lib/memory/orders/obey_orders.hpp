// SPDX-License-Identifier: BSD-3-Clause
// The library's side of order_file.hpp.
#pragma once

#include <atomic>

#include "memory/orders/order_file.hpp"

namespace nestbind::memory {

inline constinit std::atomic<OrderFile*> g_orders{nullptr};

// At the process's start: maps the file if this user owns it, and its command still watches.
void take_orders(const char* name);

// Sets the policies that the command has asked for since the last call.
void obey_new_orders();

// Called at the fork of a team.
inline void obey_orders() {
  if (g_orders.load(std::memory_order_relaxed) != nullptr) [[unlikely]] {
    obey_new_orders();
  }
}

}  // namespace nestbind::memory
