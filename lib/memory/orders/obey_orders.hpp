// SPDX-License-Identifier: BSD-3-Clause
// Reads and obeys orders in the library (order_file.hpp).
#pragma once

#include <atomic>

#include "memory/orders/order_file.hpp"

namespace nestbind::memory {

inline constinit std::atomic<OrderFile*> g_orders{nullptr};

// Maps the file at the program's start, if this user owns the file and its command still watches.
void take_orders(const char* name);

// Sets the policies that the command has asked for since the last call.
void obey_new_orders();

// Sets new policies, if there are any. Called at the fork of a team.
inline void obey_orders() {
  if (g_orders.load(std::memory_order_relaxed) != nullptr) [[unlikely]] {
    obey_new_orders();
  }
}

}  // namespace nestbind::memory
