// SPDX-License-Identifier: BSD-3-Clause
#include "placement/place.hpp"

namespace nestbind::placement {

constinit const Place g_unmanaged{};
constinit const Place g_unmanaged_root{};
constinit const Place g_ruled_off{};

std::uintptr_t new_slot_id() {
  static constinit std::atomic<std::uintptr_t> last{1};
  return last.fetch_add(2, std::memory_order_relaxed);
}

}  // namespace nestbind::placement
