// SPDX-License-Identifier: BSD-3-Clause
// The identities of places and slots, and the size of all places together.
#pragma once

#include <cstddef>
#include <cstdint>

#include "mask/cpu_mask.hpp"

namespace nestbind::placement {

// Numbers that are never used again.
std::uint64_t new_id();

// Identifies where a thread is: the slot of its parent place (0 for root threads), its number
// there, and its mask. The same thread of a team under another plan has the same id if it has the
// same mask. So nothing happens at a fork that only changes the plan. Called under the lock of
// plans.
std::uintptr_t slot_id_of(std::uintptr_t parent, int number, const mask::CpuMask& mask);

// Equal masks of different plans have the same copy. Called under the lock of plans.
mask::CpuMask interned(const mask::CpuMask& mask);

// The bytes of all places that are kept, with their slots' ids.
void add_bytes_of_places(std::size_t bytes);
long bytes_of_places();

}  // namespace nestbind::placement
