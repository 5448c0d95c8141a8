// SPDX-License-Identifier: BSD-3-Clause
// Shortens long lists.
#pragma once

#include <string>
#include <vector>

#include "machine/machine.hpp"

namespace nestbind::show {

// A list with more entries is written as ranges, if there are any.
inline constexpr int kLongList = 8;

// Slots' processors in order: one as a number, several (hardware threads of a core) as "{0,8}". In
// a long list, three or more slots at equal steps are a range: "0-31", "0-124:4", "{0,8}-{7,15}".
// The same slot three or more times is "0*5". A list of many ranges is cut: "and 5 more".
std::string slot_list(const std::vector<machine::Slot>& slots, const std::vector<int>& members);

// A set of numbers as in mask::list; a long one with strides, "0-124:4", separated by commas.
std::string number_list(std::vector<int> numbers);

}  // namespace nestbind::show
