// SPDX-License-Identifier: BSD-3-Clause
// A layout as text for people.
#pragma once

#include "show/layout.hpp"

namespace nestbind::show {

// A line on the machine, then for each level a table with a row for each team.
std::string text_of(const Layout& layout);

}  // namespace nestbind::show
