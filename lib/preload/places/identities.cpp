// SPDX-License-Identifier: BSD-3-Clause
#include "places/identities.hpp"

#include <atomic>
#include <iterator>

#include "process/original_mask.hpp"
#include "support/allocate.hpp"

namespace nestbind::placement {

namespace {

struct SlotId {
  std::uintptr_t parent;
  const unsigned long* mask;
  int number;
  std::uintptr_t id;
  SlotId* next;
};
constinit SlotId* g_slot_ids[1024] = {};  // used under the lock of plans

constinit std::atomic<long> g_bytes{0};

}  // namespace

std::uint64_t new_id() {
  static constinit std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

std::uintptr_t slot_id_of(std::uintptr_t parent, int number, const mask::CpuMask& mask) {
  const std::uintptr_t key = (parent * 31 + static_cast<std::uintptr_t>(number)) * 31 +
                             (reinterpret_cast<std::uintptr_t>(mask.bits) >> 4);
  SlotId** const list = &g_slot_ids[(key ^ (key >> 10)) % std::size(g_slot_ids)];
  for (const SlotId* one = *list; one != nullptr; one = one->next) {
    if (one->parent == parent && one->number == number && one->mask == mask.bits) {
      return one->id;
    }
  }
  const std::uintptr_t id = 2 * static_cast<std::uintptr_t>(new_id()) + 1;
  if (auto* const made = support::allocate<SlotId>()) {
    *made = {parent, mask.bits, number, id, *list};
    *list = made;
    add_bytes_of_places(sizeof *made);
  }
  return id;
}

mask::CpuMask interned(const mask::CpuMask& mask) {
  const mask::CpuMask kept = process::kept_mask(mask);
  return kept.bits != nullptr ? kept : mask;
}

void add_bytes_of_places(std::size_t bytes) {
  g_bytes.fetch_add(static_cast<long>(bytes), std::memory_order_relaxed);
}

long bytes_of_places() { return g_bytes.load(std::memory_order_relaxed); }

}  // namespace nestbind::placement
