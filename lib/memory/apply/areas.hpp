// SPDX-License-Identifier: BSD-3-Clause
// What a region's mappings say about it (world.hpp).
#pragma once

#include <span>

#include "memory/apply/apply_record.hpp"
#include "memory/apply/world.hpp"

namespace nestbind::memory::apply {

bool overlaps(const Area& area, const Range& range);

// Whether all of a range lies in areas (in order) without a bar.
bool is_free(const Range& range, std::span<const Area> areas);

// The first bar in a range.
Bar bar_of(const Range& range, std::span<const Area> areas);

// Whether all of a range has the policy that it was given.
bool is_spread(const Range& range, std::span<const Area> areas);

// Why a region with this bar is left alone.
Why why_of(Bar bar);

}  // namespace nestbind::memory::apply
