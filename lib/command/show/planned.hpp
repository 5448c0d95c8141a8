// SPDX-License-Identifier: BSD-3-Clause
// A layout as a picture of its machine: what `nestbind plan` draws.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "machine/hardware.hpp"
#include "show/layout.hpp"
#include "show/picture.hpp"

namespace nestbind::show {

struct Whole {
  const machine::Hardware& hardware;
  const std::optional<std::vector<int>>& allowed;
};

// Unbound members may run on all the process's processors.
std::vector<Occupant> occupants_of(const Layout& layout, const Whole& whole);

std::vector<Line> heading_of(const Layout& layout, const std::vector<std::string>& first,
                             int columns);

std::string picture_of(const Layout& layout, const Whole& whole, const Canvas& canvas);

// Draws two layouts side by side, or one below the other if this takes fewer rows.
std::string pictures_of(const Layout& left, const Layout& right, const Whole& whole,
                        const Canvas& canvas);

// The picture of a machine as a graphic (SVG 1.1). The viewer's prefers-color-scheme selects light
// or dark colours.

// The result is well-formed XML in ASCII.
std::string svg_of(const std::vector<Layout>& layouts, const Whole& whole);

// Characters that XML does not allow, and bytes that are not UTF-8, become U+FFFD.
std::string escaped(const std::string& text);

}  // namespace nestbind::show
