// SPDX-License-Identifier: BSD-3-Clause
// Texts that several forms share: specifications, shortened lists, and wrapped lines.
#pragma once

#include <string>
#include <vector>

#include "machine/machine.hpp"
#include "spec/spec.hpp"

namespace nestbind::show {

// A list with more entries is written as ranges, if this is possible.
inline constexpr int kLongList = 8;

// A slot with several processors is written as "{0,8}". A long list has ranges: "0-31", "0-124:4",
// "{0,8}-{7,15}". Three or more equal slots in a row are written as "0*3". If there are many
// ranges, the list ends with "and 5 more".
std::string slot_list(const std::vector<machine::Slot>& slots, const std::vector<int>& members);

// A long list has strides: "0-124:4".
std::string number_list(std::vector<int> numbers);

// Return the canonical text of a specification, and of one level ("4,subscatter").
std::string canonical(const spec::Spec& spec);
std::string canonical(const spec::Level& level);

// Breaks a text at blanks into lines of at most `columns` (0: no limit). All lines except the first
// begin with `indent` blanks.
std::string wrapped(std::string text, int columns, int indent = 0);

}  // namespace nestbind::show
