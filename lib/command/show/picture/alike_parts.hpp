// SPDX-License-Identifier: BSD-3-Clause
// Which neighbours are alike: of the same shape, with the same threads but for one number of their
// paths.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "show/picture.hpp"
#include "show/picture/boxes.hpp"

namespace nestbind::show::picture {

// What the paths in one part have more than those in another; at one place, the same for all.
struct Shift {
  int place = -1;  // -1: none, they are the same, or there are none
  int by = 0;
  bool operator==(const Shift&) const = default;
};

// The shift from one part to another that is alike; none where they are not.
std::optional<Shift> shift_between(const Part& from, const Part& to,
                                   const std::vector<Occupant>& occupants);

// How many parts behind parts[first] are alike, each with the same shift from the one before it.
struct Run {
  int followers = 0;
  Shift shift;
};
Run run_from(const std::vector<const Part*>& parts, std::size_t first,
             const std::vector<Occupant>& occupants);

// The same for blocks of `length` parts: how many blocks behind the one that begins with
// parts[first].
Run run_of_blocks(const std::vector<const Part*>& parts, std::size_t first, std::size_t length,
                  const std::vector<Occupant>& occupants);

// Who is in the followers of a run, seen from its first: "1.* to 7.*", "free", "~",
// "the same threads".
std::string run_text(const Part& first, const Run& run, const std::vector<Occupant>& occupants);

// All occupants in a part.
std::vector<int> occupants_in(const Part& part);

}  // namespace nestbind::show::picture
