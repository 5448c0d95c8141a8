// SPDX-License-Identifier: BSD-3-Clause
// Carries out an interval's orders, and finds out what has become of them. That move_pages reports
// success is no evidence: of a huge page one small page is moved for all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "memory/apply/world.hpp"

namespace nestbind::memory::apply {

struct Carried {
  std::size_t pages = 0;    // of the unit that are there
  std::size_t arrived = 0;  // of them on the ordered node now, and not before
  std::size_t there = 0;    // on it now
  bool is_gone = false;     // what was to be moved is not mapped any more, or may not be moved

  bool is_moved() const { return arrived > 0 && 2 * there >= pages; }
};

// One answer for each order. Mappings are read anew before each batch, and what may not be moved
// any more is left out. In batches, between which the process may end: what it has not come to is
// as if nothing had moved. page: bytes. Throws std::bad_alloc.
std::vector<Carried> carry(World& world, std::span<const Order> orders, std::size_t page);

}  // namespace nestbind::memory::apply
