// SPDX-License-Identifier: BSD-3-Clause
// How large the machine of a synthetic description is, without hwloc.
#pragma once

#include <string>

namespace nestbind::machine::hwloc {

// hwloc's time for a level grows with the square of its objects, and beyond with more.
inline constexpr unsigned long kMostDescribed = 4096;

// The processors that hwloc would make of a description: the product of the numbers of its levels.
// kMostDescribed + 1 where there are more. Of a text that is no description it may be any number.
unsigned long described_processors(const std::string& description);

}  // namespace nestbind::machine::hwloc
