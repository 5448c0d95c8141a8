// SPDX-License-Identifier: BSD-3-Clause
// Shortens long lists.
#pragma once

#include <string>
#include <vector>

#include "machine/machine.hpp"

namespace nestbind::show {

// A list with more entries is written as ranges, if this is possible.
inline constexpr int kLongList = 8;

// A slot with several processors is written as "{0,8}". A long list has ranges: "0-31", "0-124:4",
// "{0,8}-{7,15}". Three or more equal slots in a row are written as "0*3". If there are many
// ranges, the list ends with "and 5 more".
std::string slot_list(const std::vector<machine::Slot>& slots, const std::vector<int>& members);

// A long list has strides: "0-124:4".
std::string number_list(std::vector<int> numbers);

}  // namespace nestbind::show
