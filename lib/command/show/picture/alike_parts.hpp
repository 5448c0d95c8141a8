// SPDX-License-Identifier: BSD-3-Clause
// Finds neighbours with equal shapes and similar threads.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "show/picture.hpp"
#include "show/picture/boxes.hpp"

namespace nestbind::show::picture {

// From the path 1.0 to the path 1.3, `place` is 1 and `by` is 3.
struct Shift {
  int place = -1;  // -1 if the paths are equal, or if there are no paths
  int by = 0;
  bool operator==(const Shift&) const = default;
};

// Similar parts in a row: the step from part to part is always `shift`.
struct Run {
  int followers = 0;
  Shift shift;
};

// A block has `length` parts. Run::followers counts the blocks that are like the block at
// parts[first].
Run run_of_blocks(const std::vector<const Part*>& parts, std::size_t first, std::size_t length,
                  const std::vector<Occupant>& occupants);

// Names the threads of all parts except the first: "team of 1 to team of 7", "free", "the same
// threads".
std::string run_text(const Part& first, const Run& run, const std::vector<Occupant>& occupants);

}  // namespace nestbind::show::picture
