// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "probe/found.hpp"

namespace nestbind::cli::probe {

// Two heat maps as SVG: round trips between cores (those that were not measured have the mean of
// their kind), and reads from node to node where there are several. Dark is far; each cell tells
// its number to a pointer. Pure.
std::string picture_of(const nestbind::probe::Found& found);

}  // namespace nestbind::cli::probe
