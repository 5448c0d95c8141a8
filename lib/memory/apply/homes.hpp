// SPDX-License-Identifier: BSD-3-Clause
// Where units are, as the kernel tells of their pages.
#pragma once

#include <cstddef>
#include <span>

#include "memory/apply/world.hpp"
#include "memory/seen.hpp"

namespace nestbind::memory::apply {

// The node that most are on, the first of several; kNoNode where none is told.
int most_of(std::span<const int> nodes);

// Asks for some pages of each unit, and sets its home: where most of them are; but with its only
// user only where all are, since the rest is to come. Throws std::bad_alloc.
void probe_homes(World& world, Seen& seen);

// The same of those units of which no node was told, by all their pages, of 256 units at most. Of
// what has just been given a policy some pages wait for their next use, and tell no node. To leave
// them out would make the figures of before and after those of different memory. page: bytes.
// Throws std::bad_alloc.
void find_hidden_homes(World& world, std::size_t page, Seen& seen);

}  // namespace nestbind::memory::apply
