// SPDX-License-Identifier: BSD-3-Clause
// Long lists, short.
#pragma once

#include <string>
#include <vector>

#include "machine/machine.hpp"

namespace nestbind::show {

// More entries than these are ranges, where they make any.
inline constexpr int kLongList = 8;

// The processors of slots in their order, one as its number, several (hardware threads of a core)
// as "{0,8}". In a long list three or more slots whose numbers grow by the same are a range:
// "0-31", "0-124:4", "{0,8}-{7,15}"; three or more times the same slot are "0*5". A list of many
// ranges is cut: "and 5 more".
std::string slot_list(const std::vector<machine::Slot>& slots, const std::vector<int>& members);

// A set of numbers as of mask::list; a long one with strides, "0-124:4", separated by commas.
std::string number_list(std::vector<int> numbers);

}  // namespace nestbind::show
