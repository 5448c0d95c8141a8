// SPDX-License-Identifier: BSD-3-Clause
// Prepares hardware and threads for drawing, and makes the legend.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "show/picture.hpp"
#include "show/picture/boxes.hpp"
#include "show/picture/contents.hpp"

namespace nestbind::show::picture {

struct Prepared {
  Drawn drawn;
  std::vector<int> elsewhere;  // occupants that have no processor in the picture
};

Prepared prepare(const machine::Hardware& hardware, const std::optional<std::vector<int>>& allowed,
                 const std::vector<Occupant>& occupants);

// core: how a core with several hardware threads looks.
std::vector<Line> legend_of(const Prepared& prepared, const Subject& subject,
                            const std::string& core);

}  // namespace nestbind::show::picture
