// SPDX-License-Identifier: BSD-3-Clause
// The picture of a machine as a graphic (SVG 1.1). The viewer's prefers-color-scheme selects light
// or dark colours.
#pragma once

#include <string>
#include <vector>

#include "show/layout.hpp"
#include "show/planned.hpp"

namespace nestbind::show {

// The result is well-formed XML in ASCII.
std::string svg_of(const std::vector<Layout>& layouts, const Whole& whole);

// Characters that XML does not allow, and bytes that are not UTF-8, become U+FFFD.
std::string escaped(const std::string& text);

}  // namespace nestbind::show
