// SPDX-License-Identifier: BSD-3-Clause
// Reads and obeys orders in the library (order_file.hpp).
#pragma once

#include <atomic>

#include "memory/orders/order_file.hpp"

namespace nestbind::memory {

inline constinit std::atomic<OrderFile*> g_orders{nullptr};

// Maps the file if it belongs to this user, and the command is still running.
void take_orders(const char* name);

void obey_new_orders();

inline bool has_orders() { return g_orders.load(std::memory_order_relaxed) != nullptr; }
inline void obey_orders() {
  if (has_orders()) [[unlikely]] {
    obey_new_orders();
  }
}

}  // namespace nestbind::memory
