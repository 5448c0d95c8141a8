// SPDX-License-Identifier: BSD-3-Clause
// Finds neighbours that are alike: the shapes are equal, and the threads differ in one number.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "show/picture.hpp"
#include "show/picture/boxes.hpp"

namespace nestbind::show::picture {

// The paths of two parts differ only in the number at `place`, in all paths by the same amount.
struct Shift {
  int place = -1;  // -1: the paths are the same, or there are none
  int by = 0;
  bool operator==(const Shift&) const = default;
};

// The shift between two alike parts. Returns none if the parts are not alike.
std::optional<Shift> shift_between(const Part& from, const Part& to,
                                   const std::vector<Occupant>& occupants);

// How many parts after parts[first] are alike, each with the same shift from the previous one.
struct Run {
  int followers = 0;
  Shift shift;
};
Run run_from(const std::vector<const Part*>& parts, std::size_t first,
             const std::vector<Occupant>& occupants);

// How many blocks of `length` parts are alike after the block that begins at parts[first].
Run run_of_blocks(const std::vector<const Part*>& parts, std::size_t first, std::size_t length,
                  const std::vector<Occupant>& occupants);

// The threads in the parts after a run's first part: "1.* to 7.*", "free", "~", "the same threads".
std::string run_text(const Part& first, const Run& run, const std::vector<Occupant>& occupants);

// All occupants in a part.
std::vector<int> occupants_in(const Part& part);

}  // namespace nestbind::show::picture
