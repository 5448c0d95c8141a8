// SPDX-License-Identifier: BSD-3-Clause
// From hardware and threads to what is drawn, and what is said below it.
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
  std::vector<int> elsewhere;  // occupants none of whose processors are drawn
};

// As for draw().
Prepared prepare(const machine::Hardware& hardware, const std::optional<std::vector<int>>& allowed,
                 const std::vector<Occupant>& occupants);

// Picture::legend; the subject's marks are those of what has been arranged. core: how a core with
// several hardware threads looks.
std::vector<Line> legend_of(const Prepared& prepared, const Subject& subject,
                            const std::string& core);

}  // namespace nestbind::show::picture
