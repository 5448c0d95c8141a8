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

// The machine that layouts were made for: what Topology::of took.
struct Whole {
  const machine::Hardware& hardware;
  const std::optional<std::vector<int>>& allowed;
};

// The members of the deepest teams. Those that are not bound may run wherever the process may.
std::vector<Occupant> occupants_of(const Layout& layout, const Whole& whole);

// What stands above a picture: what the caller begins with, the order and the warnings, wrapped.
std::vector<Line> heading_of(const Layout& layout, const std::vector<std::string>& first,
                             int columns);

// The specification, a line on the machine, one on the order, warnings, the picture and its legend.
std::string picture_of(const Layout& layout, const Whole& whole, const Canvas& canvas);

// Two layouts beside each other, or below each other where that takes fewer rows.
std::string pictures_of(const Layout& left, const Layout& right, const Whole& whole,
                        const Canvas& canvas);

}  // namespace nestbind::show
